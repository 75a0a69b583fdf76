import type { ConnectionStatus } from '../../live/connection.ts'

/** Shown instead of figures, or above stale ones. */
export interface Notice {
  title: string
  text: string
  /** the connection is lost: offers Reconnect now */
  isConnectionLost: boolean
}

/** Texts of a page. */
export interface PageTexts {
  /** title before the first data */
  loading: string
  /** text below the title; default: the state of the connection */
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
