// OpenTelemetry traces: spans of requests and of what happens in them, sent to a collector over OTLP/HTTP. At the
// bottom of the house and loaded only when a collector is configured; rooms know nothing but telemetry's `Trace`.
// Nothing is registered globally, so that several services in one process do not trace into each other.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as api,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from './log.ts'
import type { Trace, TraceSpan } from './trace.ts'

/** One attempt to send a batch, repetitions included. */
const EXPORT_LIMIT_MS = 5_000
/** Spans that wait to be sent; more are dropped, so that a collector that is away costs a few megabytes at most. */
const QUEUE_LIMIT = 2_048
const BATCH_LIMIT = 256
const BATCH_EVERY_MS = 1_000
/** What is left at the end is sent for so long and then given up. */
const FLUSH_LIMIT_MS = 2_000
/** No fact of ours is longer; a host name has 253 characters. */
const FACT_CHARACTERS = 256

export interface TracingOptions {
  /** Base address of the collector; `/v1/traces` is added. */
  endpoint: string
  /** Sent with every batch. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Share of traces that are recorded, 0..1, where the caller has not decided already. */
  sampleRatio: number
  version: string
  log: Logger
}

/** A request as a span: its children are whatever `run` does. */
export interface TracedRequest {
  traceId: string
  run<T>(work: () => Promise<T>): Promise<T>
  /** `route` is a pattern of ours, never the caller's path. */
  end(answer: { route: string; status: number }): void
}

export type StartRequest = (request: { method: string; traceparent: string }) => TracedRequest

export type Tracing = ReturnType<typeof openTracing>

/** Starts to send spans in batches. A collector that is away or slow costs its spans and one line in the log. */
export function openTracing(options: TracingOptions) {
  const provider = createProvider(options)
  const tracer = provider.getTracer('verbatim', options.version)
  const current = new AsyncLocalStorage<Context>()

  const trace: Trace = async (name, facts, work) => {
    const parent = current.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { attributes: { ...facts } }, parent)
    const face = faceOf(span)
    try {
      return await current.run(api.setSpan(parent, span), () => work(face))
    } catch (error) {
      face.fail(error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  const startRequest: StartRequest = ({ method, traceparent }) => {
    const remote = parseTraceParent(traceparent)
    const parent =
      remote === null ? ROOT_CONTEXT : api.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
    const attributes = { 'http.request.method': method }
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
    return {
      traceId: span.spanContext().traceId,
      run: (work) => current.run(api.setSpan(parent, span), work),
      end({ route, status }) {
        span.updateName(`${method} ${route}`)
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    trace,
    startRequest,
    /** Sends what is left, for two seconds at most. */
    async close(): Promise<void> {
      const shutdown = provider.shutdown().catch((error: unknown) => {
        options.log.warn({ err: error }, 'the last traces could not be sent')
      })
      await Promise.race([shutdown, sleep(FLUSH_LIMIT_MS, undefined, { ref: false })])
    },
  }
}

/** Records spans and sends them in batches. */
function createProvider({
  endpoint,
  headers,
  serviceName,
  sampleRatio,
  version,
  log,
}: TracingOptions): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_LIMIT_MS,
  })
  const processor = new BatchSpanProcessor({
    exporter: reportState(exporter, log),
    maxQueueSize: QUEUE_LIMIT,
    maxExportBatchSize: BATCH_LIMIT,
    scheduledDelayMillis: BATCH_EVERY_MS,
    exportTimeoutMillis: EXPORT_LIMIT_MS,
  })
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: FACT_CHARACTERS },
    spanProcessors: [processor],
  })
}

/** The first reason stays: it is the nearest to the fault. */
function faceOf(span: Span): TraceSpan {
  let isFailed = false
  return {
    add: (facts) => void span.setAttributes({ ...facts }),
    fail(reason) {
      if (isFailed) return
      isFailed = true
      span.setAttribute('error.type', reason)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

/** One line when the collector goes and one when it comes back, not one for every batch in between. */
function reportState(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code === ExportResultCode.FAILED
        if (failed && !isAway) log.warn({ err: result.error }, 'the trace collector does not take traces')
        if (!failed && isAway) log.info('the trace collector takes traces again')
        isAway = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
