import type { MailGateway, SourceState } from '@pulse/contract'
import type { Tone } from '../../lib/tones.ts'

type Healthy = Pick<MailGateway, 'connectionHealth' | 'status'>

/** Of what is said of its connection, or of itself while nothing is. */
export function gatewayTone({
  connectionHealth,
  status,
}: Healthy): Extract<Tone, 'green' | 'yellow' | 'red'> {
  const text = (connectionHealth === 'unknown' ? status : connectionHealth).toLowerCase()
  if (text.includes('healthy') || text === 'online') return 'green'
  return text.includes('degraded') || text.includes('warning') ? 'yellow' : 'red'
}

/** That nothing comes from it is not the same as being off. */
export function gatewayStatus(
  { connectionHealth, status }: Healthy,
  source: Pick<SourceState, 'refused'> | undefined,
): string {
  if (connectionHealth === 'error') return source?.refused ? 'Access refused' : 'Not answering'
  return status.charAt(0).toUpperCase() + status.slice(1)
}
