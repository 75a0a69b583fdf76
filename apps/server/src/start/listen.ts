import type { Clock } from '@pulse/domain'
import type { FastifyInstance } from 'fastify'
import type { AddressInfo, Server } from 'node:net'
import type { Listening } from './listening.ts'
import { StartupError } from '../startup-error.ts'

/**
 * A thousand browsers may reconnect at once and wait to be accepted. With Node's default of 511 the system
 * would refuse some.
 */
const BACKLOG = 4_096

/** Listening on every interface means IPv6 and IPv4 together, or IPv4 alone on a machine without IPv6. */
export async function listen(
  http: { listen(at: { host: string; port: number; backlog: number }): Promise<string> },
  { listenAddress, port }: Listening,
) {
  if (listenAddress !== undefined) return http.listen({ host: listenAddress, port, backlog: BACKLOG })
  try {
    return await http.listen({ host: '::', port, backlog: BACKLOG })
  } catch (error) {
    if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return http.listen({ host: '0.0.0.0', port, backlog: BACKLOG })
  }
}

/**
 * Calls in progress may finish in this time. The remaining connections are closed before the stop sequence
 * abandons this part.
 */
const GRACE_MS = 1_000

export async function closeHttp(
  http: FastifyInstance,
  open: { destroyAll(): void },
  clock: Clock,
): Promise<void> {
  const cancel = clock.after(GRACE_MS, open.destroyAll)
  await http.close()
  cancel()
}

export function urlOf(
  http: { server: Pick<Server, 'address'> },
  { listenAddress = 'localhost', tls }: Listening,
): string {
  const { port } = http.server.address() as AddressInfo
  const isEverything = ['0.0.0.0', '::'].includes(listenAddress)
  const host = isEverything ? 'localhost' : listenAddress.includes(':') ? `[${listenAddress}]` : listenAddress
  return `${tls ? 'https' : 'http'}://${host}:${port}`
}

/** The reason why the server cannot listen, with advice; other errors are returned unchanged. */
export function startProblem(error: unknown, { listenAddress, port }: Listening): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port}${listenAddress === undefined ? '' : ` on ${listenAddress}`} is already in use.`,
      'Stop the program that uses it, or choose another port with FRONTEND_PORT.',
      { cause: error },
    )
  }
  if (code === 'EACCES') {
    return new StartupError(
      `Pulse may not listen on port ${port}.`,
      'Choose a port above 1023 with FRONTEND_PORT.',
      { cause: error },
    )
  }
  return error
}
