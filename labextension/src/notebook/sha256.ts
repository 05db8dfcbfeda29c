/** Bits of the fraction of a root, as the standard (FIPS 180-4) takes its constants. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every(prime => n % prime !== 0)) {
      primes.push(n);
    }
  }
  return primes;
}

const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, prime => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));
const BLOCK = 64;

/**
 * The SHA-256 of a text's UTF-8 bytes, in hexadecimal.
 *
 * Written out because the browser's own is missing on plain http and never synchronous.
 */
export function sha256(text: string): string {
  const words = pad(new TextEncoder().encode(text));
  const state = Int32Array.from(START);
  const schedule = new Int32Array(64);
  for (let at = 0; at < words.length; at += 16) {
    expand(schedule, words, at);
    compress(state, schedule);
  }
  return Array.from(state, word =>
    (word >>> 0).toString(16).padStart(8, '0')
  ).join('');
}

/** The bytes, a one bit, zeros, and the length in bits, as big-endian words. */
function pad(bytes: Uint8Array): Int32Array {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK);
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return Int32Array.from({ length: padded.length / 4 }, (_, i) =>
    view.getInt32(i * 4)
  );
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function expand(schedule: Int32Array, words: Int32Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    schedule[i] = words[at + i];
  }
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15];
    const late = schedule[i - 2];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16] + s0 + schedule[i - 7] + s1;
  }
}

function compress(state: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + schedule[i]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e] = [g, f, e, (d + first) | 0];
    [d, c, b, a] = [c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}
