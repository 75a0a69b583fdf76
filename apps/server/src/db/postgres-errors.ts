import { type DatabaseFault, ServerError } from '../database-error.ts'

// Classes and codes: PostgreSQL 15, appendix A, "PostgreSQL Error Codes".
const integrityClass = '23'
const connectionClass = '08'
const resourcesClass = '53'
const interventionClass = '57'
const diskFull = '53100'
const ioError = '58030'
const readOnly = '25006'
const serializationFailure = '40001'
const deadlock = '40P01'
/** A limit of ours has ended it: the server answers, but not in time. */
const tooLate = ['57014', '55P03']
/** The same, because this process was too slow: the session has ended. */
const tooSlow = '25P03'
/** What a statement says does not fit the tables, or its values do not. */
const wrongClasses = ['22', '42']

interface Failed {
  code?: unknown
  message?: unknown
}

const codeIn = (error: unknown): string => {
  const { code } = (error ?? {}) as Failed
  return typeof code === 'string' ? code : ''
}

/** Another transaction was in the way. Nothing of this one took effect. */
export const isRepeatable = (error: unknown): boolean =>
  [serializationFailure, deadlock].includes(codeIn(error))

/** The server itself does not answer. After a limit of time, only that statement has failed. */
export const isOutage = (error: unknown): boolean =>
  !(error instanceof TypeError) && faultOf(error) === 'away' && !tooLate.includes(codeIn(error))

/** The same statements will never succeed. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof ServerError &&
  (error.isConstraint || wrongClasses.includes(codeIn(error.cause).slice(0, 2)))

export function toDatabaseError(error: unknown): Error {
  if (error instanceof TypeError || error instanceof ServerError) return error
  const { message } = error as Error
  return new ServerError(message, faultOf(error), { cause: error })
}

function faultOf(error: unknown): DatabaseFault | undefined {
  const code = codeIn(error)
  if (code === diskFull) return 'disk-full'
  if (code === ioError || code === readOnly) return 'disk'
  if (code.startsWith(integrityClass)) return 'constraint'
  const isUnreachable =
    tooLate.includes(code) ||
    code === tooSlow ||
    [connectionClass, resourcesClass, interventionClass].includes(code.slice(0, 2))
  if (isUnreachable) return 'away'
  // Those of the client have no code of five characters: the socket has an error, or the connection has ended.
  return /^[0-9A-Z]{5}$/.test(code) ? undefined : 'away'
}
