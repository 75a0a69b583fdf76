import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { useConnection } from '../../live/use-live.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { LostSites } from '../sources/lost-sites.tsx'
import { SitesProvider } from '../sources/sites.tsx'
import { UnreachableStrip, type UnreachableKind } from '../sources/unreachable-strip.tsx'
import { connectionNotice, type Notice, type PageTexts } from './connection-notice.ts'
import { ConnectionLost, Loading, NoticeStrip } from './states.tsx'

interface LivePageProps {
  /** its heading, for screen readers */
  title: string
  /** the content and the empty state have a visible heading of their own */
  hasOwnHeading?: boolean
  texts: PageTexts
  /** there is data to show */
  hasFigures: boolean
  /** shown without data, for example "nothing is configured" */
  empty: ReactNode
  /** the loading layout around the notice; default: two tables */
  skeleton?: (notice: ReactNode) => ReactNode
  children: ReactNode
}

const NoticeContext = createContext<Notice | undefined>(undefined)

/** The frame of a page with live data. It explains why there is no data, or why the data is stale. */
export function LivePage(props: LivePageProps) {
  const { title, hasOwnHeading = false, texts, hasFigures, empty, skeleton, children } = props
  const status = useConnection((connection) => connection.status)
  const received = useConnection((connection) => connection.initialDataReceived)
  const connectedBefore = useConnection((connection) => connection.lastUpdate !== undefined)
  const notice = connectionNotice(status, received, connectedBefore, texts)
  return (
    <div className="py-3">
      {!(hasOwnHeading && (hasFigures || !notice)) && <h1 className="sr-only">{title}</h1>}
      {hasFigures ? (
        <NoticeContext value={notice}>
          <SitesProvider>{children}</SitesProvider>
        </NoticeContext>
      ) : !notice ? (
        empty
      ) : notice.isConnectionLost ? (
        <ConnectionLost notice={notice} />
      ) : (
        <Loading notice={notice} skeleton={skeleton} />
      )}
    </div>
  )
}

/** A card that turns grey while the live data is stale. */
export function LiveCard({ className, ...props }: ComponentProps<typeof Card>) {
  const notice = useContext(NoticeContext)
  return <Card className={cx('overflow-clip', notice && 'grayscale', className)} {...props} />
}

/** The same without a card. */
export function LiveFigures({ children, className }: { children: ReactNode; className?: string }) {
  const notice = useContext(NoticeContext)
  return <div className={cx(notice && 'grayscale', className)}>{children}</div>
}

/**
 * A line about the lost connection, or else about the sites without word, and the sources that do not answer or
 * the hosts that do not report.
 */
export function LiveNotice({ of = 'sources' }: { of?: UnreachableKind }) {
  const notice = useContext(NoticeContext)
  return notice ? (
    <NoticeStrip notice={notice} />
  ) : (
    <>
      {of === 'sources' && <LostSites />}
      <UnreachableStrip of={of} />
    </>
  )
}
