import { Sanitizer } from '@jupyterlab/apputils';
import { EditorLanguageRegistry } from '@jupyterlab/codemirror';
import { createMarkdownParser } from '@jupyterlab/markedparser-extension';

import { codeBlocks } from '../../src/components/transcript/codeblocks';
import { fencesOf, matchFences } from '../../src/render/fences';
import { Markdown } from '../../src/render/markdown';

const markdown = new Markdown(
  {
    markdownParser: createMarkdownParser(new EditorLanguageRegistry()),
    sanitizer: new Sanitizer(),
    latexTypesetter: null
  },
  { picture: alt => alt }
);

async function blocksOf(source: string) {
  const host = document.createElement('div');
  host.append(await markdown.render(source));
  return codeBlocks(host, source);
}

const codeIn = (source: string) => fencesOf(source).map(({ code }) => code);

/** Sources with one block each, and the code that it is. */
const EXACT: Record<string, readonly [string, string]> = {
  'what HTML would read': [
    '```py\nif a<b & c>"d":\n    x\n```',
    'if a<b & c>"d":\n    x'
  ],
  'what looks like tags': [
    '```py\nx = "<b>&amp;</b>"\n```',
    'x = "<b>&amp;</b>"'
  ],
  'what looks like a formula': [
    '```py\nx = "$a$ \\\\(b\\\\)"\n```',
    'x = "$a$ \\\\(b\\\\)"'
  ],
  tabs: ['```py\nif a:\n\tb\n```', 'if a:\n\tb'],
  'blank lines and ends of lines': ['```py\n\nx  \n\n\ny\n```', '\nx  \n\n\ny'],
  'a blank line at its end': ['```py\nx\n\n```', 'x\n'],
  'another line end': ['a\r\n\r\n```py\r\nx\r\ny\r\n```\r\n', 'x\ny'],
  'no line behind it': ['```py\nx\n```', 'x'],
  'words in other scripts': [
    '```py\nx = "né 🦜 日本"\n```',
    'x = "né 🦜 日本"'
  ],
  tildes: ['~~~py\nx = "```"\n~~~', 'x = "```"'],
  'a longer fence': ['````py\nx = """\n```\n"""\n````', 'x = """\n```\n"""'],
  'a list': [
    '1. First:\n\n   ```py\n   if a:\n       b\n   ```\n2. Then',
    'if a:\n    b'
  ],
  'a bullet of its own': ['- ```py\n  x\n  ```', 'x'],
  'a quote': ['> ```py\n> if a:\n>     b\n> ```', 'if a:\n    b'],
  'an indent': [' ```py\n x\n ```', 'x'],
  'a name in braces': ['```{python}\nx\n```', 'x']
};

describe('the code of a block in an answer', () => {
  it.each(Object.entries(EXACT))(
    'is what its author wrote: %s',
    async (_, [source, code]) => {
      const [block] = await blocksOf(source);
      expect(block.source?.code).toBe(code);
    }
  );

  it('is found for each of several blocks, with its language', async () => {
    const blocks = await blocksOf(
      'a\n\n```py\nx\n```\n\n    indented\n\n```\nx\n```\n\n- b\n\n  ```R foo\n  y\n  ```'
    );
    expect(blocks.map(({ source }) => source?.language)).toEqual([
      'py',
      undefined,
      '',
      'R'
    ]);
  });

  it('is not taken from the source if anything else is seen', async () => {
    const [block] = await blocksOf('```py\nx = "a\uE000b"\n```');
    expect(block.text).toContain('"ab"');
    expect(block.source).toBeNull();
  });

  it.each([
    [
      'folded away by the words behind its fence',
      '```python "><details><summary></summary><b class="\nevil()\n```'
    ],
    [
      'folded away in HTML, with its source in a comment',
      '<!--\n```python\nevil()\n```\n-->\n\n<pre><details><summary></summary>evil()</details></pre>'
    ],
    [
      'laid out away by classes of the editor',
      '<!--\n```python\nevil()\n```\n-->\n\n<pre><span class="ͼ1"><span class="cm-cursor">evil()</span></span></pre>'
    ],
    [
      'small',
      '<!--\n```python\nevil()\n```\n-->\n\n<pre><sub><sub><sub>evil()</sub></sub></sub></pre>'
    ]
  ])('is always seen where it can be run: %s', async (_, source) => {
    const host = document.createElement('div');
    host.append(await markdown.render(source));
    const [block] = codeBlocks(host, source);
    expect(block.text.trim()).toBe('evil()');
    const inside = [...host.querySelectorAll('pre *')];
    expect(
      inside.filter(
        node =>
          !['code', 'span'].includes(node.localName) ||
          ![...node.classList].every(name => name.startsWith('ͼ'))
      )
    ).toEqual([]);
  });

  it('is not run in other lines than are seen', async () => {
    const [block] = await blocksOf(
      '<!--\n```python\n# a noteevil()\n```\n-->\n\n<pre># a note<br>evil()</pre>'
    );
    expect(block.text).toBe('# a note\nevil()');
    expect(block.source).toBeNull();
  });

  it('is not to be run if its end was not written', async () => {
    const [block] = await blocksOf('```py\nfor x in y:');
    expect(block.text.trim()).toBe('for x in y:');
    expect(block.source).toBeNull();
  });
});

describe('the fences of markdown', () => {
  it('are not the ticks of code in a line', () => {
    expect(codeIn('```py``` is code\n\n```py\nx\n```')).toEqual(['x']);
  });

  it('are closed by the same sign only, as many times or more', () => {
    expect(codeIn('```\na\n~~~\n``\n`````')).toEqual(['a\n~~~\n``']);
  });

  it('end where their quote does', () => {
    expect(fencesOf('> ```py\n> x\n\n```py\ny\n```')).toEqual([
      { language: 'py', code: 'x', closed: false },
      { language: 'py', code: 'y', closed: true }
    ]);
  });

  it('are matched in order, each once', () => {
    const fences = fencesOf('```a\nx\n```\n```b\nx\n```');
    const found = matchFences(fences, ['x', 'x', 'x']);
    expect(found.map(fence => fence?.language)).toEqual(['a', 'b', undefined]);
  });
});
