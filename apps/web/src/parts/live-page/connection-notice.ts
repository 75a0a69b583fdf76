import type { ConnectionStatus } from '../../live/connection.ts'

/** What stands in for figures, or beside them when they are not of now. */
export interface Notice {
  title: string
  text: string
  /** offers Reconnect now */
  isConnectionLost: boolean
}

/** What a page says in its own words. */
export interface PageTexts {
  /** while there is nothing to show yet */
  loading: string
  /** below it; by default which way the connection is made */
  loadingText?: string
  connectionLost?: { title: string; reconnecting: string; disconnected: string }
}

const defaultConnectionLost = {
  title: 'Connection lost',
  reconnecting: 'Attempting to reconnect',
  disconnected: 'Unable to connect to the backend server',
}

/** undefined while the figures are current. */
export function connectionNotice(
  status: ConnectionStatus,
  initialDataReceived: boolean,
  connectedBefore: boolean,
  { loading, loadingText, connectionLost = defaultConnectionLost }: PageTexts,
): Notice | undefined {
  if (status === 'reconnecting' || status === 'disconnected') {
    return { title: connectionLost.title, text: connectionLost[status], isConnectionLost: true }
  }
  if (initialDataReceived) return undefined
  const verb = connectedBefore ? 'Reconnecting to' : 'Connecting to'
  return { title: loading, text: loadingText ?? `${verb} the monitoring service`, isConnectionLost: false }
}
