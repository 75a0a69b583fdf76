import { type Command, printedJson, refused } from './answer.ts'

/** A node as `pvesh` describes it. */
export interface CommandNode {
  name: string
  address: string
  online: boolean
  /** of the certificate that its web interface shows: upper-case pairs with colons */
  fingerprint: string
}

/** The API tool of Proxmox VE, on the first of these nodes. */
export function pvesh(nodes: readonly CommandNode[], clusterName: string | undefined): Command {
  const members = nodes.map(({ name, address, online }, n) => ({
    id: `node/${name}`,
    ip: address,
    level: '',
    local: n === 0 ? 1 : 0,
    name,
    nodeid: n + 1,
    online: online ? 1 : 0,
    type: 'node',
  }))
  const cluster = {
    id: 'cluster',
    name: clusterName,
    nodes: nodes.length,
    quorate: 1,
    type: 'cluster',
    version: 3,
  }
  return ([verb, path = '', ...rest]) => {
    if (verb !== 'get' || rest.join(' ') !== '--output-format json') return refused('ERROR: unknown command')
    if (path === '/cluster/status')
      return printedJson(clusterName === undefined ? members : [cluster, ...members])
    const name = /^\/nodes\/([^/]+)\/certificates\/info$/.exec(path)?.[1]
    const node = nodes.find((one) => one.name === name)
    if (!node) return refused(`No '${path}' handler defined for 'get'`, 2)
    if (!node.online) return refused(`ssh: connect to host ${node.address} port 22: No route to host`)
    return printedJson([
      {
        filename: 'pve-root-ca.pem',
        fingerprint: Array(32).fill('00').join(':'),
        subject: '/CN=Proxmox Virtual Environment',
      },
      {
        filename: 'pve-ssl.pem',
        fingerprint: node.fingerprint,
        san: ['127.0.0.1', name],
        subject: `/CN=${name}`,
      },
    ])
  }
}
