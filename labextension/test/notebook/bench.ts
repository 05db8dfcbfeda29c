import { readMark } from '../../src/notebook/provenance';
import { NotebookWriter } from '../../src/notebook/writer';
import type { RunState } from '../../src/protocol/generated';
import { until } from '../support/until';
import { Desk } from './desk';
import { FakeThread } from './fakeThread';

/** An open notebook, the thread that acts on it, and the writer between them. */
export class Bench {
  readonly thread = new FakeThread('a.ipynb');
  readonly writer: NotebookWriter;

  private constructor(readonly desk: Desk) {
    this.writer = new NotebookWriter({
      thread: this.thread,
      tracker: desk.tracker,
      contents: desk.manager.contents,
      fetchBlob: () => Promise.reject(new Error('not played')),
      following: () => false
    });
  }

  static async open(): Promise<Bench> {
    return new Bench(await Desk.open('a.ipynb'));
  }

  run(name: string): RunState | undefined {
    return this.thread.state?.runs[`run-${name}`];
  }

  /** A run begins, and its cell comes in. */
  async put(name: string, after: string | null): Promise<void> {
    this.thread.run(name, `${name} = 1`, after);
    await this.placed(name, 'in_document');
  }

  async placed(name: string, level: RunState['placed']): Promise<void> {
    await until(() => this.run(name)?.placed === level, `${name} is ${level}`);
  }

  async judged(name: string, verdict: RunState['verdict']): Promise<void> {
    await until(
      () => this.run(name)?.verdict === verdict,
      `the verdict on ${name} is ${verdict}`
    );
  }

  /** A run ends, and its cell says so. */
  async end(name: string): Promise<void> {
    this.thread.end(name, 1);
    await until(() => this.mark(name)?.status === 'ok', `${name} is marked ok`);
  }

  /** The person saves the notebook with a cell of ours. */
  async save(name: string): Promise<void> {
    await this.desk.context.save();
    await this.placed(name, 'in_file');
  }

  mark(name: string): ReturnType<typeof readMark> {
    return readMark(this.desk.cell(name).getMetadata('cave_lab'));
  }

  close(): void {
    this.writer.dispose();
    this.desk.close();
  }
}
