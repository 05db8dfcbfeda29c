const path = require('path');

/** Packages that ship only ES modules, which have to be compiled for Jest. */
const esModules = [
  '@codemirror',
  '@jupyter/',
  '@jupyterlab/',
  '@lezer',
  '@marijn',
  '@microsoft',
  'color',
  'exenv-es6',
  'lib0',
  'marked',
  'nanoid',
  'vscode-ws-jsonrpc',
  'y-protocols',
  'y-websocket',
  'yjs'
].join('|');

const compile = [
  'ts-jest',
  { tsconfig: path.join(__dirname, 'tsconfig.jest.json') }
];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testRegex: 'test/.*\\.spec\\.tsx?$',
  testEnvironment: '@jupyterlab/testing/lib/jest-env.js',
  resolver: '@jupyterlab/testing/lib/jest-resolver.js',
  setupFiles: ['@jupyterlab/testing/lib/jest-shim.js'],
  setupFilesAfterEnv: [path.join(__dirname, 'test', 'setup.ts')],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json'],
  moduleNameMapper: { '\\.css$': 'identity-obj-proxy' },
  transform: {
    '\\.svg$': '@jupyterlab/testing/lib/jest-raw-loader.js',
    '\\.[mc]?[jt]sx?$': compile
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules}))`],
  restoreMocks: true
};
