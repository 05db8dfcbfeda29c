import { Paper, wanted } from './paper';

describe('the place of a cell', () => {
  it('is after the one before it, for several at once', () => {
    const paper = new Paper('a', 'b');
    paper.settle([
      wanted('x', { after: 'a' }),
      wanted('y', { after: 'x' }),
      wanted('z', { after: 'y' })
    ]);
    expect(paper.ids).toEqual(['a', 'x', 'y', 'z', 'b']);
  });

  it('is after the turn’s last cell if the one it follows is gone', () => {
    const paper = new Paper('a', 'b');
    const [x, y] = [wanted('x', { after: 'a' }), wanted('y', { after: 'x' })];
    paper.settle([x, y]);
    paper.delete('y');
    paper.settle([x, y, wanted('z', { after: 'y' })]);
    expect(paper.ids).toEqual(['a', 'x', 'z', 'b']);
  });

  it('is where the missing cells before it were', () => {
    const paper = new Paper('a', 'b');
    const x = wanted('x', { after: 'a' });
    paper.settle([x]);
    paper.delete('x');
    paper.settle([x, wanted('y', { after: 'x' })]);
    expect(paper.ids).toEqual(['a', 'y', 'b']);
  });

  it('is after the heir of an attempt that it followed', () => {
    const paper = new Paper('a', 'b');
    const heir = wanted('good', { after: 'a', supersedes: ['bad'] });
    const next = wanted('y', { after: 'good', turnId: 'next' });
    paper.settle([heir]);
    paper.settle([heir, next]);
    expect(paper.ids).toEqual(['a', 'good', 'y', 'b']);
  });

  it('is before a later cell of its turn that is there already', () => {
    const paper = new Paper('a');
    const later = wanted('y', { after: 'gone' });
    paper.settle([later]);
    paper.type(2, 'b');
    paper.settle([wanted('x', { after: 'gone' }), later]);
    expect(paper.ids).toEqual(['a', 'x', 'y', 'b']);
  });

  it('is the end if nothing it knows of is there', () => {
    const paper = new Paper('a', 'b');
    paper.settle([wanted('x', { after: 'gone' }), wanted('y')]);
    expect(paper.ids).toEqual(['a', 'b', 'x', 'y']);
  });

  it('is found even if cells follow each other in a circle', () => {
    const paper = new Paper('a');
    const x = wanted('x', { after: 'y', turnId: 'one' });
    const y = wanted('y', { after: 'x', placed: 'in_file' });
    paper.settle([x, y]);
    expect(paper.ids).toEqual(['a', 'x']);
  });
});
