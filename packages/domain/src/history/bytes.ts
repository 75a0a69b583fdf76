/** Appends numbers to a growing buffer. */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** A whole number of at least 0, in groups of seven bits (LEB128). */
  unsigned(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  /** Bytes with their length in front. */
  block(bytes: Uint8Array): void {
    this.unsigned(bytes.length)
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** What another writer has so far, as a block. That one is empty then. */
  take(other: ByteWriter): void {
    this.block(other.#bytes.subarray(0, other.#length))
    other.#length = 0
  }

  /** A copy of the bytes so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Reads what a ByteWriter wrote. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  unsigned(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('the stored samples end too early')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  /** How many numbers follow. Each takes a byte at least, so that damaged bytes ask for no more memory than they have. */
  count(): number {
    const count = this.unsigned()
    if (count > this.#bytes.length - this.#at) throw new RangeError('the stored samples end too early')
    return count
  }

  /** Reads as many whole numbers as there is space for, several times faster than one by one. */
  unsignedInto(into: Float64Array): void {
    const bytes = this.#bytes
    let at = this.#at
    for (let n = 0; n < into.length; n++) {
      let byte = bytes[at++]!
      let value = byte & 0x7f
      for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
        byte = bytes[at++]!
        value += (byte & 0x7f) * factor
      }
      into[n] = value
    }
    if (at > bytes.length) throw new RangeError('the stored samples end too early')
    this.#at = at
  }

  skipUnsigned(count: number): void {
    const bytes = this.#bytes
    let at = this.#at
    for (let left = count; left > 0; left--) while (bytes[at++]! >= 0x80) continue
    if (at > bytes.length) throw new RangeError('the stored samples end too early')
    this.#at = at
  }

  /** A view of the bytes. */
  block(): Uint8Array {
    const length = this.unsigned()
    if (this.#at + length > this.#bytes.length) throw new RangeError('the stored samples end too early')
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  skipBlock(): void {
    const length = this.unsigned()
    this.#at += length
  }
}
