import { log } from '../lib/log.ts'
import { Component, type ErrorInfo, type ReactNode } from 'react'

export interface Failure {
  error: Error
  /** renders the children again */
  retry: () => void
}

interface ErrorBoundaryProps {
  renderFailure: (failure: Failure) => ReactNode
  children: ReactNode
  /** a new value, such as the path, resets the failure */
  resetKey?: string | undefined
}

interface ErrorBoundaryState {
  error: Error | undefined
  resetKey: string | undefined
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey }
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    log.error(error.message, { error, drawnBy: info.componentStack })
  }

  retry = () => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    return error ? this.props.renderFailure({ error, retry: this.retry }) : this.props.children
  }
}
