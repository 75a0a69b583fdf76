import { versionOf } from '../api/version.ts'
import { memberOf, nodeFigures } from './member.ts'
import { needsAuditOnNode } from './route.ts'
import type { Call, Route } from './route.ts'
import { nodeStatus } from './node-status.ts'

export const nodeRoutes: readonly Route[] = [
  { path: '/nodes', answer: nodes },
  { path: '/nodes/{node}/status', missing: needsAuditOnNode, answer: nodeStatus },
  { path: '/nodes/{node}/version', answer: ({ cluster }) => versionOf(cluster.release) },
  { path: '/nodes/{node}/subscription', answer: subscription },
  { path: '/nodes/{node}/certificates/info', answer: certificates },
]

function subscription() {
  return {
    status: 'notfound',
    message: 'There is no subscription key',
    url: 'https://www.proxmox.com/en/proxmox-virtual-environment/pricing',
  }
}

function certificates(call: Call) {
  const { certificate, name } = memberOf(call)
  return [
    {
      filename: 'pve-ssl.pem',
      fingerprint: certificate.fingerprint,
      issuer: '/CN=Proxmox Virtual Environment/O=PVE Cluster Manager CA',
      subject: `/CN=${name}.lab.example/O=Proxmox Virtual Environment`,
      notbefore: Math.floor(certificate.notBeforeMs / 1000),
      notafter: Math.floor(certificate.notAfterMs / 1000),
      'public-key-type': 'id-ecPublicKey',
      'public-key-bits': 256,
      san: ['127.0.0.1', 'localhost', name, `${name}.lab.example`],
      pem: certificate.certPem,
    },
  ]
}

function nodes({ world, cluster, rights }: Call) {
  return cluster.nodes.map((node) => ({
    ...nodeFigures(world, node, rights),
    ssl_fingerprint: node.certificate.fingerprint,
  }))
}
