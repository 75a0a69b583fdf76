import { cloneElement, type ReactElement } from 'react'

export const tooltipMaxWidth = 240

/** Attributes that give an element a tooltip. The TooltipLayer renders it. */
export function tip(text: string | undefined, maxWidth = tooltipMaxWidth) {
  return text ? { 'data-tip': text, 'data-tip-width': maxWidth } : {}
}

/** maximum lines on a small screen */
const mostLines = 16

/** The lines that fit into a tooltip, and the number of the remaining ones. */
export const firstLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more`]

interface TooltipProps {
  content: string | undefined
  maxWidth?: number
  /** The element. It must be focusable if the keyboard should reach it. */
  children: ReactElement
}

export function Tooltip({ content, maxWidth, children }: TooltipProps) {
  return cloneElement(children, tip(content, maxWidth))
}

/** Removes markup; line breaks stay. */
export function plainText(markup: string): string {
  return withoutCode(markup.replace(/<br\s*\/?>/gi, '\n'))
    .replace(/<\/?[a-z!][^>]*>?/gi, '')
    .trim()
}

/** Removes script and style elements with their content. Unclosed ones are left to the rule for tags. */
function withoutCode(markup: string): string {
  let cached = ''
  let keptTo = 0
  let open: { name: string; at: number } | undefined
  for (const { 0: tag, 1: slash, 2: name = '', index } of markup.matchAll(
    /<(\/?)(script|style)\b[^<>]*>?/gi,
  )) {
    if (!open && !slash) open = { name: name.toLowerCase(), at: index }
    if (!open || !slash || open.name !== name.toLowerCase()) continue
    cached += markup.slice(keptTo, open.at)
    keptTo = index + tag.length
    open = undefined
  }
  return cached + markup.slice(keptTo)
}
