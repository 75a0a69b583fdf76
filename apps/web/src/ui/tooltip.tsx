import { cloneElement, type ReactElement } from 'react'

export const tooltipMaxWidth = 240

/** What any element needs to have a tooltip; the one TooltipLayer of the page does the rest. */
export function tip(text: string | undefined, maxWidth = tooltipMaxWidth) {
  return text ? { 'data-tip': text, 'data-tip-width': maxWidth } : {}
}

interface TooltipProps {
  content: string | undefined
  maxWidth?: number
  /** An element; to be reached by keyboard it must be focusable. */
  children: ReactElement
}

export function Tooltip({ content, maxWidth, children }: TooltipProps) {
  return cloneElement(children, tip(content, maxWidth))
}

/** Markup is dropped, not shown and never run; line breaks stay. */
export function plainText(markup: string): string {
  return markup
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?[a-z!][^>]*>?/gi, '')
    .trim()
}
