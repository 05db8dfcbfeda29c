import { isKernelLanguage } from '../../src/state/languages';

describe('a block in an answer', () => {
  it.each([
    ['python', 'python'],
    ['py', 'python'],
    ['Python3', 'python'],
    ['ipython', 'python'],
    ['r', 'R'],
    ['jl', 'julia'],
    ['sh', 'bash'],
    ['c++', 'c++17']
  ])('in %s is for a kernel of %s', (block, kernel) => {
    expect(isKernelLanguage(block, kernel)).toBe(true);
  });

  it.each([
    ['', 'python'],
    ['', ''],
    ['text', 'python'],
    ['bash', 'python'],
    ['python', null],
    ['pycon', 'python']
  ])('in “%s” is not for a kernel of %s', (block, kernel) => {
    expect(isKernelLanguage(block, kernel)).toBe(false);
  });
});
