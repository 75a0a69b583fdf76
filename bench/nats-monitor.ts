/** A connection of a process, as the NATS server counts it. */
interface Connection {
  /** `pulse ROLES ID` */
  name?: string
  /** when it was made */
  start: string
  /** received from the process: payloads with their headers */
  in_bytes: number
}

async function connections(monitor: string): Promise<Connection[]> {
  const answer = await fetch(`${monitor}/connz?limit=1000`)
  if (!answer.ok) throw new Error(`the NATS server does not count its connections: ${answer.status}`)
  return ((await answer.json()) as { connections: Connection[] }).connections
}

const isOf = (role: string) => (connection: Connection) => connection.name?.startsWith(`pulse ${role} `)

/** What processes of this role have sent to the NATS server since they connected. */
export async function bytesFrom(monitor: string, role: string): Promise<number> {
  const own = (await connections(monitor)).filter(isOf(role))
  return own.reduce((sum, one) => sum + one.in_bytes, 0)
}

/** When the newest process of this role connected, in ms since 1970. */
export async function connectedAt(monitor: string, role: string): Promise<number> {
  const own = (await connections(monitor)).filter(isOf(role))
  return Math.max(...own.map(({ start }) => Date.parse(start)))
}
