/** Below this number of stale entries the heap is not rebuilt. */
const leastHeld = 64

/** Keys by the time they are due, earliest first. Offering a key again moves it. */
export class DueQueue<K> {
  readonly #heap: Entry<K>[] = []
  readonly #current = new Map<K, Entry<K>>()

  get size(): number {
    return this.#current.size
  }

  /** Heap entries, including stale ones. */
  get held(): number {
    return this.#heap.length
  }

  has(key: K): boolean {
    return this.#current.has(key)
  }

  /** The due time of a key. */
  dueAt(key: K): number | undefined {
    return this.#current.get(key)?.at
  }

  offer(key: K, at: number): void {
    const entry = { key, at }
    this.#current.set(key, entry)
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
    if (this.#heap.length > 2 * this.#current.size + leastHeld) this.#sweep()
  }

  remove(key: K): void {
    this.#current.delete(key)
  }

  /** The earliest due time. */
  nextAt(): number | undefined {
    this.#discardMoved()
    return this.#heap[0]?.at
  }

  take(): K | undefined {
    this.#discardMoved()
    const entry = this.#pop()
    if (entry) this.#current.delete(entry.key)
    return entry?.key
  }

  /** Removes stale entries, which would pile up when keys are removed long before they are due. */
  #sweep(): void {
    const kept = this.#heap.filter((entry) => this.#current.get(entry.key) === entry)
    this.#heap.length = 0
    // sorted, it is a heap already
    for (const entry of kept.sort((a, b) => a.at - b.at)) this.#heap.push(entry)
  }

  /**
   * Stale entries of moved or removed keys stay in the heap until they reach its top, or are the majority.
   */
  #discardMoved(): void {
    while (this.#heap[0] && this.#current.get(this.#heap[0].key) !== this.#heap[0]) this.#pop()
  }

  #pop(): Entry<K> | undefined {
    const top = this.#heap[0]
    const last = this.#heap.pop()
    if (top && last && top !== last) {
      this.#heap[0] = last
      this.#sink(0)
    }
    return top
  }

  #rise(index: number): void {
    const heap = this.#heap
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (heap[parent]!.at <= heap[index]!.at) return
      swap(heap, parent, index)
      index = parent
    }
  }

  #sink(index: number): void {
    const heap = this.#heap
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let least = index
      if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left
      if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right
      if (least === index) return
      swap(heap, least, index)
      index = least
    }
  }
}

interface Entry<K> {
  key: K
  at: number
}

function swap<T>(list: T[], a: number, b: number): void {
  const kept = list[a]!
  list[a] = list[b]!
  list[b] = kept
}
