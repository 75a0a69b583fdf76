import {
  NatsConnectionImpl,
  type NatsConnection,
  type NodeConnectionOptions,
  setTransportFactory,
} from '@nats-io/transport-node'
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js'
import { TLSSocket } from 'node:tls'

/**
 * The transport of the client goes on in clear text if a server offers TLS with anything but `true` (transport-node 3.4), and
 * takes what arrived in clear text for messages of the encrypted connection. This one says and takes nothing then: with TLS
 * options, a connection is encrypted and verified, or it fails, and the next attempt may succeed.
 */
class StrictTransport extends NodeTransport {
  override async connect(...[host, options]: Parameters<NodeTransport['connect']>): Promise<void> {
    await super.connect(host, options)
    if (!options.tls || isVerified(this.socket)) return
    this.discard()
    throw new Error('the server does not begin TLS')
  }

  override startTLS(): Promise<TLSSocket> {
    const inClear = Buffer.concat(this.yields)
    if (inClear.indexOf('\r\n') + 2 < inClear.length)
      return Promise.reject(new Error('the server sends messages before TLS'))
    return super.startTLS()
  }
}

const isVerified = (socket: NodeTransport['socket']) => socket instanceof TLSSocket && socket.authorized

export function connectStrictly(options: NodeConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new StrictTransport(), dnsResolveFn: nodeResolveHost })
  return NatsConnectionImpl.connect(options)
}
