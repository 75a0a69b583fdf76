import { connect as dial, isIP, type Socket } from 'node:net'
import type { Clock } from '@pulse/domain'
import {
  addressProblem,
  bareHost,
  endpointProblem,
  hostProblem,
  type Reach,
  withAdvice,
} from './addresses.ts'
import { isAllowed } from './allowed-hosts.ts'
import { type Answer, exchange } from './exchange.ts'
import { checkedLookup, type Resolve } from './lookup.ts'
import { machineLookup } from './lookups.ts'
import { OutboundError } from './outbound-error.ts'
import { within } from './within.ts'

const maxRedirects = 3

export interface OutboundCall {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  /** for the whole call, including redirects */
  limitMs: number
  /** accepts any certificate, including an untrusted one */
  anyCertificate?: boolean
  /** the request contains no secret, so another server may answer it */
  anywhere?: boolean
  /** receives the body of a successful answer instead; then the body may have any size */
  take?: (body: AsyncIterable<Buffer>) => Promise<void>
}

/** All requests to configured hosts go through here: webhooks, mail servers, Apprise servers. */
export interface Outbound {
  /** Why a URL must not be called, judged without a name server; undefined when it is allowed. */
  urlProblem(url: string): string | undefined
  /** The same for a server that is dialled by name and port. */
  serverProblem(host: string, port: number): string | undefined
  /**
   * Why a program must not dial a server; undefined when it is allowed. The program asks the name server
   * itself and may use any of the addresses.
   */
  nameProblem(host: string, port: number): Promise<string | undefined>
  /** Follows up to three redirects on the same server; throws OutboundError. */
  call(call: OutboundCall, signal: AbortSignal): Promise<Answer>
  /** Connects to a checked address of the host; throws OutboundError. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

export interface OutboundEdges {
  clock: Clock
  /** the current hosts that an administrator allows */
  allowedHosts: () => readonly string[]
  resolve?: Resolve
}

export function createOutbound({ clock, allowedHosts, resolve = machineLookup }: OutboundEdges): Outbound {
  const reachOf = (host: string, port: number): Reach =>
    isAllowed(allowedHosts(), host, port)
      ? { loopback: true, plainHttp: true }
      : { loopback: false, strict: true, plainHttp: true }

  function urlProblem(text: string): string | undefined {
    // URL parsers silently drop some of these
    if (/[\p{Cc}\s\\]/u.test(text)) return 'it contains spaces, control characters or backslashes'
    const url = URL.parse(text)
    if (!url) return 'it is not a URL'
    const problem = portProblem(url) ?? endpointProblem(url.href, reachOf(bareHost(url), portOf(url)))
    return problem && withAdvice(problem, url.host)
  }

  function judged(text: string): URL {
    const problem = urlProblem(text)
    if (problem === undefined) return new URL(text)
    const origin = URL.parse(text)?.host ?? ''
    throw new OutboundError(`${origin || 'The address'} is not called: ${problem}`, 'refused')
  }

  return {
    urlProblem,
    serverProblem(host, port) {
      const problem = hostProblem(host, reachOf(host, port))
      return problem && withAdvice(problem, port > 0 ? `${host}:${port}` : host)
    },
    nameProblem(host, port) {
      const reach = reachOf(host, port)
      const judge = (found: readonly { address: string }[]) =>
        found.map(({ address }) => addressProblem(address, reach)).find((problem) => problem !== undefined)
      return new Promise((done) =>
        // a name without an address is harmless
        resolve(host, { all: true }, (error, found) => {
          const problem = error ? undefined : judge(found)
          done(problem && withAdvice(problem, port > 0 ? `${host}:${port}` : host))
        }),
      )
    },
    call: ({ limitMs, anywhere, ...wanted }, signal) =>
      within(
        clock,
        limitMs,
        async (deadline) => {
          let outgoing = { ...wanted, url: judged(wanted.url) }
          for (let followed = 0; ; followed++) {
            const { url } = outgoing
            const answer = await exchange(outgoing, reachOf(bareHost(url), portOf(url)), resolve, deadline)
            const target = redirectTarget(url, answer, judged, anywhere)
            if (!target) return answer
            if (followed === maxRedirects) {
              throw new OutboundError(`${url.origin}: more than ${maxRedirects} redirects`, 'refused')
            }
            outgoing = { ...(answer.status === 303 ? withoutBody(outgoing) : outgoing), url: target }
          }
        },
        signal,
      ),
    connect(host, port, signal) {
      const reach = reachOf(host, port)
      const problem = isIP(host) ? addressProblem(host, reach) : hostProblem(host, reach)
      if (problem) return Promise.reject(new OutboundError(`${host} is not called: ${problem}`, 'refused'))
      return connection(host, port, reach, signal)
    },
  }

  function connection(host: string, port: number, reach: Reach, signal: AbortSignal): Promise<Socket> {
    const failed = (error: unknown) => {
      if (signal.aborted && signal.reason instanceof OutboundError) return signal.reason
      if (error instanceof OutboundError) return error
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'given up'
      return new OutboundError(`${host}:${port}: no answer (${code})`)
    }
    return new Promise((done, refuse) => {
      if (signal.aborted) return refuse(failed(undefined))
      const socket = dial({ host, port, lookup: checkedLookup(reach, resolve) })
      const giveUp = () => {
        socket.destroy()
        refuse(failed(undefined))
      }
      signal.addEventListener('abort', giveUp, { once: true })
      socket.once('error', (error) => refuse(failed(error)))
      socket.once('connect', () => {
        signal.removeEventListener('abort', giveUp)
        done(socket)
      })
    })
  }
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/**
 * Ports of other protocols, because their servers might interpret lines of a request as commands. Browsers
 * block the same ports (Fetch standard, "port blocking").
 */
const portsOfOthers = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Why a request must not be sent to the endpoint's port; undefined when it is allowed. */
function portProblem({ port }: URL): string | undefined {
  if (port === '0') return 'port 0 is not valid'
  return portsOfOthers.has(Number(port))
    ? `port ${port} belongs to a service that does not speak HTTP`
    : undefined
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * The target of a redirect; undefined if there is none. Requests contain secrets, so the target must be the
 * same host and port, or the same host with encryption. `anywhere`: the request contains no secret and the
 * caller checks the answer; then the target only must not drop encryption.
 */
function redirectTarget(
  from: URL,
  answer: Answer,
  judged: (url: string) => URL,
  anywhere = false,
): URL | undefined {
  const { location } = answer.headers
  if (!redirects.has(answer.status) || location === undefined) return undefined
  const target = URL.parse(location, from)
  if (!target) throw new OutboundError(`${from.origin}: redirects to an invalid URL`, 'refused')
  const next = judged(target.href)
  const isSame = next.origin === from.origin
  const isEncrypted =
    next.hostname === from.hostname && from.protocol === 'http:' && next.protocol === 'https:'
  if (isSame || isEncrypted) return next
  if (anywhere && (from.protocol === 'http:' || next.protocol === 'https:')) return next
  throw new OutboundError(
    `${from.origin}: redirects to ${next.origin}, where nothing is sent; if that is the right address, enter it`,
    'refused',
  )
}

/** The server has accepted the body, and the answer is at another address. */
function withoutBody<C extends { method: string; headers: Readonly<Record<string, string>> }>(call: C) {
  const headers = Object.entries(call.headers).filter(([name]) => !/^content-/i.test(name))
  return { ...call, method: 'GET', headers: Object.fromEntries(headers), body: '' }
}
