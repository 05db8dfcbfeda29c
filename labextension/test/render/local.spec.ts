import { Sanitizer } from '@jupyterlab/apputils';

import { LocalSanitizer } from '../../src/render/local';

const DOT = 'data:image/png;base64,iVBORw0KGgo=';
const FAR = 'https://canary.example/x.png';

const words = { picture: (alt: string) => `picture: ${alt}` };
const jupyterlabs = new LocalSanitizer(new Sanitizer(), words);
/** Nothing is left to the sanitizer before it. */
const alone = new LocalSanitizer({ sanitize: html => html }, words);

const PAYLOADS = [
  `<img src="${FAR}" alt="sales">`,
  `<img src=" ${FAR}">`,
  '<img src="//canary.example/x.png">',
  '<img src="/logout">',
  '<img src="http:canary.example">',
  '<IMG SRC=https://canary.example/x.png>',
  '<img src="blob:https://canary.example/1">',
  `<img src="${DOT}" srcset="${FAR} 2x">`,
  `<picture><source srcset="${FAR}"><img src="${DOT}"></picture>`,
  `<video src="${FAR}" poster="${FAR}" autoplay></video>`,
  `<audio src="${FAR}" preload="auto"></audio>`,
  `<video><source src="${FAR}"><track src="${FAR}"></video>`,
  `<input type="image" src="${FAR}">`,
  `<table background="${FAR}"><tr><td background="${FAR}">1</td></tr></table>`,
  `<div style="background: url(${FAR})">x</div>`,
  `<div style="background-image: URL( '${FAR}' )">x</div>`,
  `<div style="background: u\\72l(${FAR})">x</div>`,
  `<div style="background: image-set('${FAR}' 1x)">x</div>`,
  `<div style="background: url(${DOT}), url(${FAR})">x</div>`,
  `<ul style="list-style-image: url(${FAR})"><li>x</li></ul>`,
  `<style>@import "${FAR}"; p { background: url(${FAR}) }</style><p>x</p>`,
  `<link rel="stylesheet" href="${FAR}"><link rel="prefetch" href="${FAR}">`,
  `<meta http-equiv="refresh" content="0; url=${FAR}">`,
  `<base href="https://canary.example/"><img src="x.png">`,
  `<iframe src="${FAR}"></iframe><object data="${FAR}"></object><embed src="${FAR}">`,
  `<svg><image href="${FAR}"/><use xlink:href="${FAR}#a"/></svg>`,
  `<svg><rect fill="url(${FAR}#a)" filter="url(${FAR}#b)"/></svg>`,
  `<svg><style>rect { fill: url(${FAR}#a) }</style><rect/></svg>`,
  `<template><img src="${FAR}"></template><noscript><img src="${FAR}"></noscript>`
];

describe('HTML of an output in a card', () => {
  it.each(PAYLOADS)('fetches nothing: %s', html => {
    for (const sanitizer of [jupyterlabs, alone]) {
      expect(sanitizer.sanitize(html)).not.toMatch(/canary|logout|x\.png/);
    }
  });

  it('says where a picture is not shown', () => {
    expect(jupyterlabs.sanitize(PAYLOADS[0])).toBe(
      '<span class="jp-CaveLab-standIn">picture: sales</span>'
    );
  });

  it('keeps pictures that it holds itself, links, and looks', () => {
    const kept = [
      `<img src="${DOT}" alt="a">`,
      `<div style="background: url(${DOT})">x</div>`,
      '<td style="color: red; text-align: right">1</td>'
    ];
    for (const html of [kept[0], kept[1]]) {
      expect(alone.sanitize(html)).toBe(html);
    }
    expect(jupyterlabs.sanitize(`<table>${kept[2]}</table>`)).toContain(
      'text-align:right'
    );
    expect(jupyterlabs.sanitize(`<a href="${FAR}">far</a>`)).toContain(FAR);
  });

  it('runs no command by a click', () => {
    const html =
      '<button data-commandlinker-command="x" data-commandlinker-args="{}">b</button>';
    const lenient = new Sanitizer();
    lenient.setAllowCommandLinker(true);
    expect(new LocalSanitizer(lenient, words).sanitize(html)).not.toContain(
      'commandlinker'
    );
  });
});
