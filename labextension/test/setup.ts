/** Warnings are errors: a test during which something was complained about fails. */

let complaints: string[] = [];

function collect(...words: unknown[]): void {
  complaints.push(words.map(String).join(' '));
}

beforeEach(() => {
  complaints = [];
  jest.spyOn(console, 'error').mockImplementation(collect);
  jest.spyOn(console, 'warn').mockImplementation(collect);
});

afterEach(() => {
  if (complaints.length > 0) {
    throw new Error(`Written to the console:\n${complaints.join('\n')}`);
  }
});
