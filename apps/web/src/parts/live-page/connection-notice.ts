import type { ConnectionStatus } from '../../live/connection.ts'

/** What stands in for figures, or beside them when they are not of now. */
export interface Notice {
  title: string
  text: string
  /** offers Reconnect now */
  lost: boolean
}

/** What a page says in its own words. */
export interface PageTexts {
  /** while there is nothing to show yet */
  loading: string
  /** below it; by default which way the connection is made */
  loadingText?: string
  lost?: { title: string; reconnecting: string; disconnected: string }
}

const connectionLost = {
  title: 'Connection lost',
  reconnecting: 'Attempting to reconnect',
  disconnected: 'Unable to connect to the backend server',
}

/** undefined while the figures are current. */
export function connectionNotice(
  status: ConnectionStatus,
  initialDataReceived: boolean,
  connectedBefore: boolean,
  { loading, loadingText, lost = connectionLost }: PageTexts,
): Notice | undefined {
  if (status === 'reconnecting' || status === 'disconnected') {
    return { title: lost.title, text: lost[status], lost: true }
  }
  if (initialDataReceived) return undefined
  const verb = connectedBefore ? 'Reconnecting to' : 'Connecting to'
  return { title: loading, text: loadingText ?? `${verb} the monitoring service`, lost: false }
}
