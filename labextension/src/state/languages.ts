/** Names that one language goes by, among kernels and in answers; versions left out. */
const SAME: readonly (readonly string[])[] = [
  ['python', 'py', 'ipython'],
  ['r', 'rscript', 'ir'],
  ['julia', 'jl'],
  ['javascript', 'js', 'node', 'nodejs'],
  ['typescript', 'ts'],
  ['bash', 'sh', 'shell', 'zsh'],
  ['c++', 'cpp', 'cxx'],
  ['c#', 'csharp', 'cs'],
  ['f#', 'fsharp', 'fs'],
  ['go', 'golang'],
  ['haskell', 'hs'],
  ['kotlin', 'kt'],
  ['ruby', 'rb'],
  ['rust', 'rs'],
  ['scala', 'sc']
];

function plainName(language: string): string {
  const name = language.toLowerCase().replace(/[-_]?\d[\d.]*$/, '');
  return SAME.find(names => names.includes(name))?.[0] ?? name;
}

/** Whether a block in a language can run in a kernel; never one that names no language. */
export function isKernelLanguage(
  language: string,
  kernel: string | null
): boolean {
  return (
    language !== '' &&
    kernel !== null &&
    plainName(language) === plainName(kernel)
  );
}
