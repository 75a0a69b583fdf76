import type { ConnectionStatus } from '../../live/connection.ts'

/** What stands in for figures, or beside them when they are not of now. */
export interface Notice {
  title: string
  text: string
  /** offers Reconnect now */
  lost: boolean
}

/** undefined while the figures are current. */
export function connectionNotice(
  status: ConnectionStatus,
  initialDataReceived: boolean,
  connectedBefore: boolean,
): Notice | undefined {
  if (status === 'reconnecting') {
    return { title: 'Connection lost', text: 'Attempting to reconnect', lost: true }
  }
  if (status === 'disconnected') {
    return { title: 'Connection lost', text: 'Unable to connect to the backend server', lost: true }
  }
  if (initialDataReceived) return undefined
  const verb = connectedBefore ? 'Reconnecting to' : 'Connecting to'
  return { title: 'Loading dashboard data', text: `${verb} the monitoring service`, lost: false }
}
