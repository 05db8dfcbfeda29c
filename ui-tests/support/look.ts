import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

import { type Lab } from './lab';

export const THEMES = ['JupyterLab Light', 'JupyterLab Dark'] as const;

/** The panel as narrow as it must still be good to read in, and as a person may drag it. */
const SIZES = [
  ['narrow', 280],
  ['wide', 480]
] as const;

export async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(async name => {
    await window.jupyterapp.commands.execute('apputils:change-theme', {
      theme: name
    });
  }, theme);
  await expect(page.locator('body')).toHaveAttribute(
    'data-jp-theme-name',
    theme
  );
}

/** Drag the edge of the right area, so that the panel is this wide. */
export async function setWidth(lab: Lab, width: number): Promise<void> {
  const box = (await lab.panel.root.boundingBox())!;
  const y = box.y + box.height / 2;
  await lab.page.mouse.move(box.x - 2, y);
  await lab.page.mouse.down();
  await lab.page.mouse.move(box.x - 2 + box.width - width, y, { steps: 8 });
  await lab.page.mouse.up();
}

/** The panel has no violation that axe can find, in either theme. */
export async function expectAccessible(lab: Lab, where: string): Promise<void> {
  for (const theme of THEMES) {
    await setTheme(lab.page, theme);
    const found = await new AxeBuilder({ page: lab.page })
      .include('#cave-lab-panel')
      // Drawn by JupyterLab: CodeMirror's colours and the images that cells make.
      .exclude('#cave-lab-panel .cm-editor')
      .exclude('#cave-lab-panel .jp-OutputArea-output')
      .analyze();
    const violations = found.violations.map(
      one =>
        `${where}, ${theme}: ${one.id}: ${one.nodes.map(n => n.html).join()}`
    );
    expect(violations).toEqual([]);
  }
}

/**
 * Pictures of a state: light and dark, in a narrow and in a wide panel. `show` brings into view
 * what the picture is of, before each. Repeated for its steadiness, a test takes none again.
 */
export async function portrait(
  lab: Lab,
  name: string,
  show?: () => Promise<void>
): Promise<void> {
  const sizes = test.info().repeatEachIndex === 0 ? SIZES : [];
  for (const [size, width] of sizes) {
    await setWidth(lab, width);
    for (const theme of THEMES) {
      await setTheme(lab.page, theme);
      await show?.();
      const shade = theme.endsWith('Dark') ? 'dark' : 'light';
      await lab.page.screenshot({
        path: `screenshots/${name}-${shade}-${size}.png`
      });
    }
  }
  await setTheme(lab.page, THEMES[0]);
}
