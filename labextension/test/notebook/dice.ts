/** Numbers that look random and are the same for a seed (a linear congruence). */
export class Dice {
  constructor(private _state: number) {}

  below(limit: number): number {
    this._state = (Math.imul(this._state, 1_664_525) + 1_013_904_223) | 0;
    return (this._state >>> 8) % limit;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
