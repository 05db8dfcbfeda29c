import { nullTranslator } from '@jupyterlab/translation';

import { Blobs } from '../../src/notebook/blobs';
import type { BlobOutput, Output } from '../../src/protocol/generated';
import type { WholeOutput } from '../../src/render/nbformat';

const BEFORE: Output = { output_type: 'stream', name: 'stdout', text: 'a' };
const AFTER: Output = { output_type: 'stream', name: 'stdout', text: 'b' };
const BLOB: BlobOutput = {
  output_type: 'blob',
  blob: 'sha',
  of: 'display_data',
  size: 70_000,
  mime_types: ['image/png']
};
const WHOLE: WholeOutput = {
  output_type: 'display_data',
  data: { 'image/png': 'iVBO' },
  metadata: {},
  display_id: null
};

describe('outputs that travel as references', () => {
  let fetched: string[];
  let failures: number;
  let blobs: Blobs;

  beforeEach(() => {
    jest.useFakeTimers();
    [fetched, failures] = [[], 0];
    const fetchBlob = (threadId: string, blobId: string): Promise<string> => {
      fetched.push(`${threadId}/${blobId}`);
      return failures-- > 0
        ? Promise.reject(new Error('503'))
        : Promise.resolve(JSON.stringify(WHOLE));
    };
    blobs = new Blobs('thread', fetchBlob, nullTranslator.load('cave_lab'));
  });

  afterEach(() => {
    blobs.dispose();
    jest.useRealTimers();
  });

  const all = [BEFORE, BLOB, AFTER];

  it('are fetched once, and hold up only what comes after them', async () => {
    expect(blobs.whole(all)).toEqual({ outputs: [BEFORE], complete: false });
    expect(blobs.whole(all).complete).toBe(false);
    await jest.runAllTimersAsync();
    expect(blobs.whole(all)).toEqual({
      outputs: [BEFORE, WHOLE, AFTER],
      complete: true
    });
    expect(fetched).toEqual(['thread/sha']);
  });

  it('say when they have come', async () => {
    let arrived = 0;
    blobs.arrived.connect(() => arrived++);
    blobs.whole(all);
    await jest.runAllTimersAsync();
    expect(arrived).toBe(1);
  });

  it('are tried again if the server does not answer', async () => {
    failures = 2;
    blobs.whole(all);
    await jest.runAllTimersAsync();
    expect(blobs.whole(all).complete).toBe(true);
    expect(fetched).toHaveLength(3);
  });

  it('are said to be missing in the cell when nothing helps', async () => {
    failures = 9;
    const warn = jest.spyOn(console, 'warn').mockImplementation();
    blobs.whole(all);
    await jest.runAllTimersAsync();
    const { outputs, complete } = blobs.whole(all);
    expect(complete).toBe(true);
    expect(outputs[1]).toMatchObject({
      name: 'stderr',
      text: expect.stringContaining('image/png, 70000 bytes') as string
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('are let go of once they are written', async () => {
    blobs.whole(all);
    await jest.runAllTimersAsync();
    blobs.drop(all);
    expect(blobs.whole(all).complete).toBe(false);
  });
});
