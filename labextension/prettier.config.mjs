export default {
  singleQuote: true,
  trailingComma: 'none',
  arrowParens: 'avoid',
  overrides: [{ files: '*.md', options: { proseWrap: 'preserve' } }]
};
