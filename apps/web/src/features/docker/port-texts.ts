import type { DockerContainer } from '@pulse/contract'

type Port = NonNullable<DockerContainer['ports']>[number]

/** Published ones first, each once: engines tell of a port for IPv4 and for IPv6. */
export const portTexts = (ports: readonly Port[]): readonly string[] => [
  ...new Set(
    ports
      .toSorted((a, b) => Number(isPublished(b)) - Number(isPublished(a)) || a.privatePort - b.privatePort)
      .map(portText),
  ),
]

const isPublished = ({ publicPort = 0 }: Port): boolean => publicPort > 0

const everywhere: ReadonlySet<string> = new Set(['', '0.0.0.0', '::'])

/** `8080 → 80/tcp`, `127.0.0.1:8080 → 80/tcp`, or `80/tcp` for one that only other containers reach. */
function portText(port: Port): string {
  const { ip = '', publicPort, privatePort, protocol } = port
  const inside = protocol ? `${privatePort}/${protocol}` : String(privatePort)
  if (!isPublished(port)) return inside
  const address = ip.includes(':') ? `[${ip}]` : ip
  return `${everywhere.has(ip) ? '' : `${address}:`}${publicPort} → ${inside}`
}
