/** Of a guest with that VMID in a cluster. */
interface Place {
  number: string
  source: string
}

/** Values by VMID and source: guests of several clusters may share a VMID. */
export class ByNumber<T> {
  readonly #known = new Map<string, Map<string, T[]>>()

  of(number: string, source: string): readonly T[] {
    return this.#known.get(number)?.get(source) ?? []
  }

  sources(number: string): Iterable<string> {
    return this.#known.get(number)?.keys() ?? []
  }

  add({ number, source }: Place, value: T) {
    const bySource = this.#known.get(number) ?? new Map<string, T[]>()
    this.#known.set(number, bySource)
    const known = bySource.get(source)
    if (known) known.push(value)
    else bySource.set(source, [value])
  }

  drop({ number, source }: Place, value: T) {
    const bySource = this.#known.get(number)!
    const values = bySource.get(source)!
    values.splice(values.indexOf(value), 1)
    if (values.length === 0) bySource.delete(source)
    if (bySource.size === 0) this.#known.delete(number)
  }
}
