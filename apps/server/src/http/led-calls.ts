import type { ErrorCode, LoginInput } from '@pulse/contract'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Access } from '../auth/access.ts'
import type { AuditEntry } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Table } from '../row-cache.ts'
import { toAppError } from './error-reply.ts'
import { answerCall, FileReply, type Forward, type RawCall, RawReply, type Route } from './route.ts'

export interface LedCallsEdges {
  routes: readonly Route[]
  access: Access
  checkBasic: SignIn['checkBasic']
  record: (entry: AuditEntry) => Promise<void>
  log: Logger
  cluster: {
    readonly isLeading: boolean
    checkLead(): Promise<void>
    /** Asks the process that leads. Rejects with an AppError. */
    ask(question: unknown, gone?: AbortSignal): Promise<unknown>
    writes: { now(): number; since(moment: number): (Table | 'all')[] }
  }
  /** Reads the rows of these tables again. */
  reload: (tables: readonly Table[] | undefined) => Promise<void>
}

export interface Question extends Omit<RawCall, 'caller'> {
  call: string
  caller: Caller
}

/** In place of an API call: whether a name and a password are right. Its result is the id of the user. */
export const basicCheck = 'check Basic'
export interface BasicQuestion {
  call: typeof basicCheck
  caller: Caller
  body: LoginInput
}

type Reply =
  | { kind: 'json'; value: unknown }
  | { kind: 'nothing' }
  | { kind: 'raw'; body: string; headers: Record<string, string>; status: number | undefined }
  | { kind: 'file'; body: string; headers: Record<string, string> }

interface Refusal {
  code: ErrorCode
  message: string
  details: Record<string, string> | undefined
  fields: Record<string, unknown>
  headers: Record<string, string>
}

export type Outcome = (Reply | { kind: 'refused'; refusal: Refusal }) & {
  cookies: string[]
  /** what the caller's process must read again before its user asks it */
  written: (Table | 'all')[]
}

/** Calls of several processes that only the one that leads answers: all that change something, and those of led areas. */
export interface LedCalls {
  /** Undefined: this process answers the call. */
  forwardOf(route: Route): Forward | undefined
  /** Before `forwardOf`: a process that led, and was stopped, does not answer from its memory. */
  checkLead(route: Route): Promise<void>
  /** Answers a call that another process has received. */
  answer(question: unknown): Promise<Outcome>
}

const nameOf = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

export function createLedCalls(edges: LedCallsEdges): LedCalls {
  const { routes, access, checkBasic, record, log, cluster, reload } = edges
  const byName = new Map(routes.map((route) => [nameOf(route), route]))

  /** The call passes the same gate again, with the rights of this moment. */
  async function perform({ call, caller, ...raw }: Question, cookies: string[]): Promise<Reply> {
    await cluster.checkLead()
    if (!cluster.isLeading)
      throw new AppError('leader_unavailable', 'Another Pulse process leads now. Try again in a moment.', {
        headers: { 'retry-after': '2' },
      })
    if (call === basicCheck)
      return { kind: 'json', value: (await checkBasic(raw.body as LoginInput, caller)).id }
    const route = byName.get(call)
    if (!route) throw new AppError('not_found', 'The Pulse process that leads has another version.')
    const setCookie = (text: string) => void cookies.push(text)
    const identity = await access.toCall(route.endpoint, caller, setCookie)
    const admitted = { caller, identity }
    route.before?.(admitted)
    route.unpacked?.(admitted, JSON.stringify(raw.body ?? null).length)
    const result = await answerCall(route, { ...raw, ...admitted }, { record, setCookie })
    return toReply(result)
  }

  /** Only the process that leads answers it. */
  const isForLeader = ({ isLed, isLocal, endpoint }: Route) =>
    isLocal !== true && (endpoint.method !== 'GET' || isLed === true)

  return {
    async checkLead(route) {
      if (cluster.isLeading && isForLeader(route)) await cluster.checkLead()
    },
    forwardOf(route) {
      const { beforeForward } = route
      if (cluster.isLeading || !isForLeader(route)) return undefined
      return async (call, setCookie, gone) => {
        await beforeForward?.()
        const question: Question = { call: nameOf(route), ...call }
        const outcome = (await cluster.ask(question, gone)) as Outcome
        const { cookies, written } = outcome
        // rows that cannot be read now are reported, and read again with the next change
        if (written.length > 0)
          await reload(written.includes('all') ? undefined : (written as Table[])).catch(() => {})
        for (const text of cookies) setCookie(text)
        return resultOf(outcome)
      }
    },
    async answer(question) {
      const cookies: string[] = []
      const before = cluster.writes.now()
      const written = () => cluster.writes.since(before)
      try {
        const reply = await perform(question as Question, cookies)
        return { ...reply, cookies, written: written() }
      } catch (error) {
        const known = toAppError(error)
        if (known.statusCode >= 500 && known !== error)
          log.error({ err: error }, 'a forwarded request failed')
        const { code, message, details, fields, headers } = known
        return {
          kind: 'refused',
          refusal: { code, message, details, fields, headers },
          cookies,
          written: written(),
        }
      }
    },
  }
}

async function toReply(result: unknown): Promise<Reply> {
  if (result === undefined) return { kind: 'nothing' }
  if (result instanceof RawReply) {
    const { body, headers, status } = result
    return { kind: 'raw', body: body.toString('base64'), headers, status }
  }
  if (result instanceof FileReply) {
    const body = await buffer(result.open())
    return { kind: 'file', body: body.toString('base64'), headers: result.headers }
  }
  return { kind: 'json', value: result }
}

/** What the process that leads has answered; throws its refusal. */
export function resultOf(answer: unknown): unknown {
  const outcome = answer as Outcome
  if (outcome.kind !== 'refused') return fromReply(outcome)
  const { code, message, details, fields, headers } = outcome.refusal
  throw new AppError(code, message, { ...(details && { details }), fields, headers })
}

function fromReply(reply: Reply): unknown {
  if (reply.kind === 'json') return reply.value
  if (reply.kind === 'nothing') return undefined
  const body = Buffer.from(reply.body, 'base64')
  if (reply.kind === 'file') return new FileReply(() => Readable.from([body]), reply.headers)
  return new RawReply(body, reply.headers, reply.status)
}
