const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CONSTRAINT = 19

/** A statement failed. `sqliteCode` may be an extended result code; its low byte is the class. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly sqliteCode: number | undefined

  constructor(message: string, sqliteCode: number | undefined) {
    super(message)
    this.sqliteCode = sqliteCode
  }

  get isConstraint(): boolean {
    return this.#class === SQLITE_CONSTRAINT
  }

  get isDiskFull(): boolean {
    return this.#class === SQLITE_FULL
  }

  /** The file cannot be written: the disk fails, or another program locks the file. */
  get isDiskError(): boolean {
    return this.#class === SQLITE_IOERR || this.#class === SQLITE_BUSY
  }

  get #class() {
    return this.sqliteCode === undefined ? undefined : this.sqliteCode & 0xff
  }
}

/** The thread that owns the file ended during a call. It is unknown whether the statement took effect. */
export class ThreadEnded extends DatabaseError {
  override name = 'ThreadEnded'

  constructor(why: string) {
    super(`the database thread has ended: ${why}`, undefined)
  }
}

/** The disk is full or fails; the request itself was valid. */
const isRefusedByDisk = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && (error.isDiskFull || error.isDiskError)

/**
 * For writes that a restart may lose. While the disk is full, an administrator must still be able to sign in.
 */
export function unlessDiskRefuses(error: unknown): void {
  if (!isRefusedByDisk(error)) throw error
}
