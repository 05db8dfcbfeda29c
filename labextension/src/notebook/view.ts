import type { Notebook, NotebookPanel } from '@jupyterlab/notebook';

import { LIMITS } from './limits';

/**
 * Make a change of the document that leaves what the person looks at where it is.
 */
export function holdView(panel: NotebookPanel, change: () => void): void {
  const notebook = panel.content;
  const windowed = notebook.notebookConfig.windowingMode === 'full';
  const held = panel.isVisible && !windowed ? heldNode(notebook) : null;
  const before = held?.getBoundingClientRect().top ?? 0;
  change();
  if (held) {
    afterFrames(2, () => {
      if (held.isConnected && !notebook.isDisposed) {
        const shift = held.getBoundingClientRect().top - before;
        scrollBy(notebook.outerNode, shift);
      }
    });
  }
}

function scrollBy(node: HTMLElement, shift: number): void {
  // Less than a pixel is rounding; scrolling for it would fight a smooth scroll.
  if (Math.abs(shift) >= 1) {
    node.scrollTop += shift;
  }
}

/** The active cell if the person works in it and sees it, else the first cell in sight. */
function heldNode(notebook: Notebook): HTMLElement | null {
  const frame = notebook.outerNode.getBoundingClientRect();
  const active = notebook.activeCell?.node;
  if (active?.contains(document.activeElement) && isSeen(active, frame)) {
    return active;
  }
  const cells = notebook.viewportNode.children;
  return firstBelow(cells, frame.top);
}

function isSeen(node: HTMLElement, frame: DOMRect): boolean {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > frame.top && top < frame.bottom;
}

/** Cells stand in order, so half of the rest is left out at each step. */
function firstBelow(cells: HTMLCollection, top: number): HTMLElement | null {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle].getBoundingClientRect().bottom > top) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const found = cells.item(low);
  return found instanceof HTMLElement ? found : null;
}

/** What a person scrolls with, or goes elsewhere in the notebook with. */
const OWN_WAYS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** How to end the bringing into view that goes on in a notebook. */
const revealing = new WeakMap<Notebook, () => void>();

/**
 * Scroll a cell into view as soon as it is drawn, and again while it grows, until the person scrolls
 * or another cell is brought into view; the active cell and the focus stay.
 */
export function reveal(panel: NotebookPanel, cellId: string): void {
  const notebook = panel.content;
  const { outerNode } = notebook;
  let tries: number = LIMITS.revealTries;
  const end = (): void => {
    tries = 0;
    OWN_WAYS.forEach(way => outerNode.removeEventListener(way, end, true));
  };
  const attempt = (): void => {
    if (notebook.isDisposed || tries-- <= 0) {
      end();
      return;
    }
    const index = indexOf(notebook, cellId);
    if (panel.isVisible && index >= 0 && !isWhollySeen(notebook, index)) {
      scrollToCell(notebook, index);
    }
    afterFrames(LIMITS.revealFrames, attempt);
  };
  revealing.get(notebook)?.();
  revealing.set(notebook, end);
  OWN_WAYS.forEach(way => outerNode.addEventListener(way, end, true));
  afterFrames(2, attempt);
}

/**
 * Whether the person has something of a cell before their eyes.
 */
export function isInView(panel: NotebookPanel, cellId: string): boolean {
  const notebook = panel.content;
  const index = indexOf(notebook, cellId);
  const node = index < 0 ? null : notebook.widgets[index].node;
  const frame = notebook.outerNode.getBoundingClientRect();
  return panel.isVisible && node?.isConnected === true && isSeen(node, frame);
}

function indexOf(notebook: Notebook, cellId: string): number {
  return notebook.widgets.findIndex(cell => cell.model.id === cellId);
}

function isWhollySeen(notebook: Notebook, index: number): boolean {
  const { node } = notebook.widgets[index];
  const frame = notebook.outerNode.getBoundingClientRect();
  const { top, height } = node.getBoundingClientRect();
  const wanted = Math.min(height, frame.height);
  return (
    node.isConnected && top >= frame.top && top + wanted <= frame.bottom + 1
  );
}

/** A windowed list alone can scroll to what is not drawn; others wait ten seconds and give up. */
function scrollToCell(notebook: Notebook, index: number): void {
  if (notebook.notebookConfig.windowingMode === 'full') {
    // Rejects only when a newer scroll takes its place.
    notebook.scrollToItem(index, 'smart').catch(() => undefined);
  } else {
    notebook.widgets[index].node.scrollIntoView({ block: 'nearest' });
  }
}

function afterFrames(count: number, action: () => void): void {
  if (count === 0) {
    action();
  } else {
    requestAnimationFrame(() => afterFrames(count - 1, action));
  }
}
