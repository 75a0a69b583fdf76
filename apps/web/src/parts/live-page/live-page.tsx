import { createContext, type ReactNode, useContext } from 'react'
import { useConnection } from '../../live/use-live.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { UnreachableStrip, type UnreachableKind } from '../sources/unreachable-strip.tsx'
import { connectionNotice, type Notice, type PageTexts } from './connection-notice.ts'
import { ConnectionLost, Loading, NoticeStrip } from './states.tsx'

interface LivePageProps {
  /** its heading, for those who cannot see the navigation */
  title: string
  texts: PageTexts
  /** whether there is anything to show */
  hasFigures: boolean
  /** stands in for figures when there are none, as in "nothing is configured" */
  empty: ReactNode
  /** the shape of a page that is not a table below a table, around what it is waiting for */
  skeleton?: (waiting: ReactNode) => ReactNode
  children: ReactNode
}

const NoticeContext = createContext<Notice | undefined>(undefined)

/** The frame of a page with live figures: it says why there are none, or why they are not of now. */
export function LivePage({ title, ...figures }: LivePageProps) {
  return (
    <div className="py-3">
      <h1 className="sr-only">{title}</h1>
      <Figures {...figures} />
    </div>
  )
}

function Figures({ texts, hasFigures, empty, skeleton, children }: Omit<LivePageProps, 'title'>) {
  const status = useConnection((connection) => connection.status)
  const received = useConnection((connection) => connection.initialDataReceived)
  const connectedBefore = useConnection((connection) => connection.lastUpdate !== undefined)
  const notice = connectionNotice(status, received, connectedBefore, texts)
  if (hasFigures) return <NoticeContext value={notice}>{children}</NoticeContext>
  if (!notice) return empty
  return notice.isConnectionLost ? (
    <ConnectionLost notice={notice} />
  ) : (
    <Loading notice={notice} skeleton={skeleton} />
  )
}

/** Around a table: without its colours while its figures are not of now. */
export function LiveCard({ children, className }: { children: ReactNode; className?: string }) {
  const notice = useContext(NoticeContext)
  return <Card className={cx('overflow-clip', notice && 'grayscale', className)}>{children}</Card>
}

/** The same around several. */
export function LiveFigures({ children, className }: { children: ReactNode; className?: string }) {
  const notice = useContext(NoticeContext)
  return <div className={cx(notice && 'grayscale', className)}>{children}</div>
}

/** In a line of the page: that the connection is lost, else which sources do not answer, or which hosts do not report. */
export function LiveNotice({ of = 'sources' }: { of?: UnreachableKind }) {
  const notice = useContext(NoticeContext)
  return notice ? <NoticeStrip notice={notice} /> : <UnreachableStrip of={of} />
}
