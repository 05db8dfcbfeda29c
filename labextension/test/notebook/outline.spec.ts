import { makeOutline, type OutlineSource } from '../../src/notebook/outline';
import { sha256 } from '../../src/notebook/sha256';

function cell(
  index: number,
  fields: Partial<OutlineSource> = {}
): OutlineSource {
  const source = fields.source ?? `value_${index} = ${index}`;
  return {
    id: `id-${index}`,
    type: 'code',
    source,
    sha256: sha256(source),
    executionCount: null,
    byCaveLab: false,
    output: () => null,
    ...fields
  };
}

function many(
  count: number,
  fields: Partial<OutlineSource> = {}
): OutlineSource[] {
  return Array.from({ length: count }, (_, index) => cell(index, fields));
}

function bytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

describe('the outline of a notebook', () => {
  it('holds ids, kinds, hashes, counts and whose cells they are', () => {
    const outline = makeOutline(
      [
        cell(0, { executionCount: 3, output: () => '42' }),
        cell(1, { type: 'markdown', byCaveLab: true })
      ],
      0
    );
    expect(outline).toMatchObject({ total: 2 });
    expect(outline.cells).toEqual([
      {
        cell_id: 'id-0',
        cell_type: 'code',
        sha256: sha256('value_0 = 0'),
        execution_count: 3,
        source: 'value_0 = 0',
        output: { head: '42', total: 2 }
      },
      {
        cell_id: 'id-1',
        cell_type: 'markdown',
        sha256: sha256('value_1 = 1'),
        by_cave_lab: true,
        source: 'value_1 = 1'
      }
    ]);
  });

  it.each([
    ['short', 'x = 1'],
    ['of 16,000 characters', 'x'.repeat(16_000)],
    ['of wide characters', '日本🐍'.repeat(3_000)]
  ])('of 2,000 cells %s stays under 256,000 bytes', (_, source) => {
    const cells = many(2_000, { source, output: () => '🐍'.repeat(5_000) });
    const outline = makeOutline(cells, 1_000);
    expect(bytes(outline)).toBeLessThan(256_000);
    expect(outline.total).toBe(2_000);
    expect(outline.cells?.length).toBeGreaterThan(500);
  });

  it('takes the cells nearest to the anchor, in their order', () => {
    const outline = makeOutline(many(2_000), 1_500);
    const ids = outline.cells?.map(one => Number(one.cell_id.slice(3))) ?? [];
    expect(ids).toContain(1_500);
    expect(ids).not.toContain(0);
    expect(ids).toEqual([...ids].sort((first, second) => first - second));
  });

  it('looks at the end if there is no anchor', () => {
    const outline = makeOutline(many(2_000), -1);
    expect(outline.cells?.at(-1)?.cell_id).toBe('id-1999');
  });

  it('leaves out a source that is too long, and keeps its neighbours', () => {
    const cells = [cell(0), cell(1, { source: 'x'.repeat(20_000) }), cell(2)];
    const outline = makeOutline(cells, 1);
    expect(outline.cells?.map(one => one.source?.length)).toEqual([
      11,
      undefined,
      11
    ]);
  });

  it('shortens outputs to head and tail, and says so', () => {
    const output = () => `${'a'.repeat(5_000)}end`;
    const [only] = makeOutline([cell(0, { output })], 0).cells ?? [];
    expect(only.output).toMatchObject({ total: 5_003, cut: true });
    expect(only.output?.tail?.endsWith('end')).toBe(true);
    expect(only.output?.head).toHaveLength(400);
  });

  it('reads outputs only in the window', () => {
    let read = 0;
    const source = 'x'.repeat(10_000);
    const output = () => `${read++}`.padEnd(600);
    makeOutline(many(700, { source, output }), 0);
    expect(read).toBeLessThan(700);
  });

  it('sends no half characters', () => {
    const source = `a\ud83d`;
    const [only] = makeOutline([cell(0, { source })], 0).cells ?? [];
    expect(only.source).toBe('a\ufffd');
  });

  it('changes its hash with any cell, however far away', () => {
    const before = makeOutline(many(2_000), 0).sha256;
    const cells = many(2_000);
    cells[1_999] = cell(1_999, { source: 'other' });
    expect(makeOutline(cells, 0).sha256).not.toBe(before);
  });

  it('of no cells is empty', () => {
    expect(makeOutline([], -1)).toMatchObject({ cells: [], total: 0 });
  });
});
