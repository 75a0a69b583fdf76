import MarkdownIt, { type Token } from 'markdown-it'
import { Fragment, type ReactNode } from 'react'
import { plainText } from '../../ui/tooltip.tsx'

/** Longer notes are cut, because the feed controls their length. */
const maxLines = 400
const maxCharacters = 50_000

/** Images are not loaded: a request would reveal to their server who reads the notes. */
const parser = new MarkdownIt('commonmark', { html: false }).disable('image')

/**
 * The feed is not trusted. Its text becomes React elements of the kinds below, never HTML. An address stays
 * text, so that no link leads an administrator away from this page.
 */
export function ReleaseNotes({ markdown }: { markdown: string }) {
  const text = plainText(markdown).slice(0, maxCharacters).split(/\r?\n/, maxLines).join('\n')
  if (text.trim() === '') return null
  return (
    <div
      ref={reachable}
      role="region"
      aria-label="Release notes"
      className="flex max-h-64 flex-col gap-1 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 text-table wrap-anywhere text-ink-2"
    >
      {childrenOf(parser.parse(text, {}))}
    </div>
  )
}

/** A scrolling area must be focusable. */
function reachable(box: HTMLElement | null): void {
  if (box) box.tabIndex = 0
}

/** Tokens are a flat list: an opening token, its content, a closing token. */
function childrenOf(tokens: readonly Token[]): ReactNode[] {
  const found: ReactNode[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    let content: ReactNode = token.children ? childrenOf(token.children) : token.content
    if (token.nesting === 1) {
      const end = endOf(tokens, at)
      content = childrenOf(tokens.slice(at + 1, end))
      at = end
    }
    found.push(<Fragment key={found.length}>{elementOf(token, content)}</Fragment>)
  }
  return found
}

function endOf(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    depth += tokens[at]!.nesting
    if (depth === 0) return at
  }
  return tokens.length
}

function elementOf(token: Token, content: ReactNode): ReactNode {
  switch (token.type) {
    case 'heading_open':
      return <p className="mt-1 font-medium text-ink first:mt-0">{content}</p>
    case 'paragraph_open':
      return token.hidden ? content : <p>{content}</p>
    case 'bullet_list_open':
      return <ul className="list-disc pl-5">{content}</ul>
    case 'ordered_list_open':
      return <ol className="list-decimal pl-5">{content}</ol>
    case 'list_item_open':
      return <li>{content}</li>
    case 'blockquote_open':
      return <blockquote className="border-l-2 border-line pl-3">{content}</blockquote>
    case 'fence':
    case 'code_block':
      return <pre className="whitespace-pre-wrap">{content}</pre>
    case 'hr':
      return <hr className="border-line" />
    case 'strong_open':
      return <strong className="font-medium">{content}</strong>
    case 'em_open':
      return <em>{content}</em>
    case 'code_inline':
      return <code>{content}</code>
    case 'link_open':
      return (
        <>
          {content} ({token.attrGet('href')})
        </>
      )
    case 'hardbreak':
      return <br />
    case 'softbreak':
      return ' '
    default:
      return content
  }
}
