import { fireEvent, screen } from '@testing-library/react';

import { doing, drawing, type Stage, staged } from '../support/panel';

const NOTHING = { before: null, after: null };

function play(seen: object): Stage {
  return staged(stream => {
    stream.make('variables.seen', seen);
    stream.make('context.sent');
    stream.make('usage');
  });
}

describe('the privacy of a thread', () => {
  it('is a short word to choose, with what it means below', async () => {
    const stage = play({ total: 3 });
    await doing(() => screen.getByRole('button', { name: /sent/ }).click());
    const choice = screen.getByRole('combobox', { name: 'Privacy' });
    expect([...choice.children].map(option => option.textContent)).toEqual([
      'Schema',
      'Standard',
      'Full'
    ]);
    const about = () =>
      document.getElementById(choice.getAttribute('aria-describedby')!)!;
    expect(about().textContent).toContain('outputs of agent runs');
    stage.stream.make('thread.changed', { privacy: 'schema' });
    stage.tell();
    expect(about().textContent).toContain('no outputs');
  });
});

describe('exactly what was sent', () => {
  it('comes into view when it is opened below the edge', async () => {
    const shown: string[] = [];
    Element.prototype.scrollIntoView = function (this: Element) {
      shown.push(this.tagName);
    };
    play({ total: 3 });
    await doing(() => screen.getByRole('button', { name: /sent/ }).click());
    const details = screen.getByText('Show exactly what was sent')
      .parentElement as HTMLDetailsElement;
    details.open = true;
    fireEvent(details, new Event('toggle'));
    expect(shown).toEqual(['DETAILS']);
    details.open = false;
    fireEvent(details, new Event('toggle'));
    expect(shown).toEqual(['DETAILS']);
  });

  it('keeps the focus when it comes, so that Esc closes it', async () => {
    play({ total: 3 });
    const drawn = drawing();
    const blob = jest.spyOn(drawn.api, 'blob').mockResolvedValue('{}');
    const opener = screen.getByRole('button', { name: /Last sent/ });
    await doing(() => {
      opener.focus();
      opener.click();
    });
    const call = screen.getByText(/^Call 1 to/);
    await doing(() => {
      call.focus();
      call.click();
    });
    const dialog = screen.getByRole('dialog');
    expect(screen.queryByRole('button', { name: /^Call 1 to/ })).toBeNull();
    expect(dialog.contains(document.activeElement)).toBe(true);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
    blob.mockRestore();
  });
});

describe('what a call gathered', () => {
  const fail = (code: string) =>
    staged(stream => {
      stream.make('variables.seen', { total: 7 });
      stream.make('context.sent');
      stream.make('notice', { turn_id: 'turn-1', level: 'error', code });
      stream.make('turn.ended', { stop_reason: 'model_error' });
    });

  it.each(['model_unreachable', 'model_key_missing'])(
    'is not called sent where nobody was reached: %s',
    async code => {
      fail(code);
      const line = screen.getByRole('button', {
        name: 'Gathered, but not sent: 7 variables, 2 cells'
      });
      await doing(() => line.click());
      expect(screen.getByText(/^Call 1 to/).textContent).toMatch(
        /gathered but not sent$/
      );
    }
  );

  it('was sent where a server refused it', () => {
    fail('model_key_rejected');
    expect(screen.getByRole('button', { name: /^Last sent: 7/ })).toBeTruthy();
  });

  it('is on its way until an answer begins', () => {
    const stage = staged(stream => stream.make('context.sent'));
    expect(screen.getByRole('button', { name: /^Sending: 1/ })).toBeTruthy();
    stage.stream.make('text.delta');
    stage.tell();
    expect(screen.getByRole('button', { name: /^Last sent: 1/ })).toBeTruthy();
  });
});

describe('the line of what the model is given', () => {
  it('counts variables and cells', () => {
    play({ total: 3 });
    expect(
      screen.getByRole('button', { name: 'Last sent: 3 variables, 2 cells' })
    ).toBeTruthy();
  });

  it('does not say that there are no variables when none could be seen', () => {
    play({ unavailable: 'The kernel has been busy since CaveLab found it.' });
    expect(
      screen.getByRole('button', {
        name: 'Last sent: variables unknown, 2 cells'
      })
    ).toBeTruthy();
  });

  it('tells what the person’s own cells changed since the message before', async () => {
    play({
      total: 3,
      changes: [
        { name: 'df', kind: 'changed', by: 'person', ...NOTHING },
        { name: 'x', kind: 'added', by: 'person', ...NOTHING }
      ],
      changes_lost: 2
    });
    const opener = screen.getByRole('button', {
      name: 'Last sent: 3 variables, 2 cells, 2 changes by other cells'
    });
    await doing(() => opener.click());
    const { textContent } = screen.getByRole('dialog');
    expect(textContent).toContain(
      'Changed by other cells before your last messageYour cells:~df+x'
    );
    expect(textContent).toContain('What 2 more cells changed is not known.');
  });

  it('tells what another thread changed as that, and that there may be more', async () => {
    play({
      total: 3,
      changes: [
        { name: 'x', kind: 'added', by: 'another_thread', ...NOTHING },
        { name: 'y', kind: 'changed', by: 'both', ...NOTHING }
      ],
      changes_complete: false
    });
    await doing(() =>
      screen.getByRole('button', { name: /Last sent/ }).click()
    );
    const { textContent } = screen.getByRole('dialog');
    expect(textContent).toContain(
      'Another thread:+xYour cells and another thread:~yThey may have changed more than that.'
    );
  });

  it('says nothing of the person’s cells where they changed nothing', async () => {
    play({ total: 3 });
    await doing(() =>
      screen.getByRole('button', { name: /Last sent/ }).click()
    );
    expect(screen.queryByText(/other cells/)).toBeNull();
  });
});
