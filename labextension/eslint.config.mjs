import js from '@eslint/js';
import jupyter from '@jupyter/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts', '**/*.tsx'];

export default defineConfig([
  {
    ignores: [
      '**/node_modules/',
      '**/*.cjs',
      '**/*.mjs',
      '**/*.js',
      '**/*.d.ts',
      'labextension/lib/',
      'labextension/src/protocol/*generated.ts',
      'ui-tests/test-results/',
      'ui-tests/playwright-report/'
    ]
  },
  { plugins: { jupyter } },
  jupyter.configs.recommended,
  {
    files: typescript,
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        project: ['tsconfig.test.json', '../ui-tests/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname
      }
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports' }
      ],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      // A signal takes a method and its `this` apart; the Jupyter rules check that.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true }
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ],
      curly: ['error', 'all'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 400],
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'prefer-arrow-callback': ['error', { allowNamedFunctions: true }]
    }
  },
  {
    files: ['labextension/test/**/*.ts*', 'ui-tests/**/*.ts'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off'
    }
  },
  prettier
]);
