const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CONSTRAINT = 19

/**
 * What a refused statement means for its caller. `away`: the server of the database does not answer. `fenced`: another
 * process leads, so that this one may not write any more.
 */
export type DatabaseFault = 'constraint' | 'disk-full' | 'disk' | 'away' | 'fenced'

/** A statement failed. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly fault: DatabaseFault | undefined

  constructor(message: string, fault: DatabaseFault | undefined, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }

  get isConstraint(): boolean {
    return this.fault === 'constraint'
  }

  get isDiskFull(): boolean {
    return this.fault === 'disk-full'
  }

  /** The file cannot be written: the disk fails, or another program locks the file. */
  get isDiskError(): boolean {
    return this.fault === 'disk'
  }
}

/** A PostgreSQL server refused a statement, or did not answer. */
export class ServerError extends DatabaseError {
  override name = 'ServerError'
}

/** `sqliteCode` may be an extended result code; its low byte is the class. */
export class SqliteError extends DatabaseError {
  readonly sqliteCode: number | undefined

  constructor(message: string, sqliteCode: number | undefined) {
    super(message, sqliteCode === undefined ? undefined : sqliteFaults[sqliteCode & 0xff])
    this.sqliteCode = sqliteCode
  }
}

const sqliteFaults: Readonly<Record<number, DatabaseFault>> = {
  [SQLITE_CONSTRAINT]: 'constraint',
  [SQLITE_FULL]: 'disk-full',
  [SQLITE_IOERR]: 'disk',
  [SQLITE_BUSY]: 'disk',
}

/** The thread that owns the file ended during a call. It is unknown whether the statement took effect. */
export class ThreadEnded extends SqliteError {
  override name = 'ThreadEnded'

  constructor(why: string) {
    super(`the database thread has ended: ${why}`, undefined)
  }
}

const refusals: readonly (DatabaseFault | undefined)[] = ['disk-full', 'disk', 'away']

/** The database does not take any write at present. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && refusals.includes(error.fault)

/**
 * For writes that a restart may lose. While the disk is full or the database is away, an administrator must still be
 * able to sign in.
 */
export function unlessDiskRefuses(error: unknown): void {
  if (isRefusal(error) || (error instanceof DatabaseError && error.fault === 'fenced')) return
  throw error
}
