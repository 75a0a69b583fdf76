import type https from 'node:https'

let loaded: typeof https | undefined

/**
 * What TLS needs takes several megabytes: it is loaded with the first server that is reached by it. A server's certificate
 * counts if the system trusts it, as it does for other programs of this host; else if Node's own list does.
 */
export function withTls(): typeof https {
  if (loaded) return loaded
  const tls = process.getBuiltinModule('node:tls')
  const system = tls.getCACertificates('system')
  if (system.length > 0) tls.setDefaultCACertificates([...system, ...tls.getCACertificates('extra')])
  return (loaded = process.getBuiltinModule('node:https'))
}
