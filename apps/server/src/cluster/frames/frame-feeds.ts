import { FrameJoiner } from './frame-codec.ts'
import type { FramePlace } from '../nats/subjects.ts'

/** Sources are some thousand at most. What is above it is made up, and must not fill the memory. */
const mostFeeds = 20_000
/** Of frames that are not complete yet, of all sources. */
const mostHeldBytes = 128 * 1024 * 1024

/** What is known of the messages of one subject. */
export interface Feed {
  joiner: FrameJoiner
  /** the newest one */
  fence: string
  /** of the newest sender of that fence, which begins a run after the other */
  run: number
  /** the message in the stream that was taken last */
  taken: { seq: number; atMs: number } | undefined
  /** monotonic: no base is asked for before; the second one is for a base in place of what was refused */
  askFrom: number
  replaceFrom: number
  /** places in the stream: of the last frame, and of a base that is not complete yet */
  firstPart: number
  baseFrom: number
}

/** By subject; the one without a message for the longest time is forgotten above the bound. */
export class Feeds {
  readonly #feeds = new Map<string, Feed>()
  readonly #most: number
  #heldBytes = 0

  constructor(most = mostFeeds) {
    this.#most = most
  }

  /** of the subject, which has a message now */
  of(subject: string, place: FramePlace): Feed {
    const feed = this.#feeds.get(subject) ?? {
      joiner: new FrameJoiner(place),
      fence: '',
      run: 0,
      taken: undefined,
      askFrom: 0,
      replaceFrom: 0,
      firstPart: 0,
      baseFrom: 0,
    }
    this.#feeds.delete(subject)
    this.#feeds.set(subject, feed)
    if (this.#feeds.size > this.#most) this.#drop(this.#feeds.keys().next().value!)
    return feed
  }

  /** Joins a part. Throws if it is no frame. */
  join({ joiner }: Feed, ...part: Parameters<FrameJoiner['take']>) {
    const before = joiner.heldBytes
    try {
      return joiner.take(...part)
    } finally {
      this.#heldBytes += joiner.heldBytes - before
      if (this.#heldBytes > mostHeldBytes) this.clearParts()
    }
  }

  clearParts() {
    for (const { joiner } of this.#feeds.values()) joiner.clear()
    this.#heldBytes = 0
  }

  clear() {
    this.#feeds.clear()
    this.#heldBytes = 0
  }

  get size(): number {
    return this.#feeds.size
  }

  #drop(subject: string) {
    this.#heldBytes -= this.#feeds.get(subject)!.joiner.heldBytes
    this.#feeds.delete(subject)
  }
}
