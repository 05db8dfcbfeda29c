export default {
  extends: ['stylelint-config-standard'],
  rules: {
    // Colours come from the theme alone.
    'color-named': 'never',
    'color-no-hex': true,
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab'],
    // JupyterLab's own form: jp-Panel-part, jp-mod-state.
    'selector-class-pattern': '^[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$'
  }
};
