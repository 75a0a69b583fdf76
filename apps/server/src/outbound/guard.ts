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
import { portProblem } from './ports.ts'
import { redirectTarget, withoutBody } from './redirects.ts'
import { within } from './within.ts'

const maxRedirects = 3

export interface OutboundCall {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  /** for everything, redirects included */
  limitMs: number
  /** whoever answers is believed: for a certificate that nobody vouches for */
  anyCertificate?: boolean
  /** nothing in it is secret: another server may answer it */
  anywhere?: boolean
  /** takes the body of a good answer instead, which may be of any size then */
  take?: (body: AsyncIterable<Buffer>) => Promise<void>
}

/** The one way out for what people configure: webhooks, mail servers, Apprise servers. */
export interface Outbound {
  /** Why a URL must not be called, if so, as far as it tells without asking a name server. */
  urlProblem(url: string): string | undefined
  /** The same of a server that is dialled by name and port. */
  serverProblem(host: string, port: number): string | undefined
  /** Why a server must not be dialled by a program that asks the name server by itself, if so: any of its addresses may be taken. */
  nameProblem(host: string, port: number): Promise<string | undefined>
  /** Follows up to three redirects of the same server; throws OutboundError. */
  call(call: OutboundCall, signal: AbortSignal): Promise<Answer>
  /** A connection to a checked address of the host; throws OutboundError. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

export interface OutboundEdges {
  clock: Clock
  /** hosts that an administrator named, as they are now */
  allowedHosts: () => readonly string[]
  resolve?: Resolve
}

export function createOutbound({ clock, allowedHosts, resolve = machineLookup }: OutboundEdges): Outbound {
  const reachOf = (host: string, port: number): Reach =>
    isAllowed(allowedHosts(), host, port)
      ? { loopback: true, plainHttp: true }
      : { loopback: false, strict: true, plainHttp: true }

  function urlProblem(text: string): string | undefined {
    // URL parsers leave some of these out in silence
    if (/[\p{Cc}\s\\]/u.test(text)) return 'it contains blanks, controls or backslashes'
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
        // a name that has no address leads nowhere
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
