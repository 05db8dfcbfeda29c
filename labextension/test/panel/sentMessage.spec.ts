import { readSent } from '../../src/panel/sentMessage';

const FIGURE = 'data:image/png;base64,iVBORw0KGgo=';

describe('a message as the model was given it', () => {
  it.each([
    [
      'words',
      { role: 'user', text: 'Plot it.\nNow.', images: [] },
      { role: 'user', text: 'Plot it.\nNow.', images: [] }
    ],
    [
      'an action, with its code as it was written',
      {
        role: 'assistant',
        text: 'First:',
        action: { call_id: 'c1', code: 'a = 1\nb = 2', purpose: 'Set' }
      },
      {
        role: 'assistant',
        text: 'First:\naction: \ncall_id: c1\ncode: a = 1\nb = 2\npurpose: Set',
        images: []
      }
    ],
    [
      'what came of it',
      { role: 'result', call_id: 'c1', text: 'ok' },
      { role: 'result', text: 'ok\ncall_id: c1', images: [] }
    ],
    [
      'its figures',
      { role: 'result', call_id: 'c1', text: 'ok', images: [FIGURE] },
      { role: 'result', text: 'ok\ncall_id: c1', images: [FIGURE] }
    ],
    [
      'what is no figure, as text',
      { role: 'user', text: 'ok', images: ['https://example.com/x.png', 7] },
      {
        role: 'user',
        text: 'ok\nimages: ["https://example.com/x.png",7]',
        images: []
      }
    ]
  ])('is shown whole: %s', (_, stored, shown) => {
    expect(readSent(JSON.stringify(stored))).toEqual(shown);
  });

  it('is shown as it is if it is something else', () => {
    expect(readSent('[1, 2')).toEqual({
      role: '',
      text: '[1, 2',
      images: []
    });
  });
});
