// What a browser is told to refuse on every page of the dashboard: foreign scripts and styles, framing, sniffing.
import helmet from 'koa-helmet'
import type { Middleware } from 'koa'

/**
 * Strict headers for pages of ours. Everything is served by us and nothing stands inline. HSTS and the upgrade of
 * insecure requests are for TLS alone: over plain HTTP they would lock people out of their own machine.
 */
export function securityHeaders({ secure }: { secure: boolean }): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'font-src': ["'self'"],
        'img-src': ["'self'"],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        ...(secure ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: secure,
    // Nobody else learns where people came from; here it leads them back after signing in.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // The three below need a secure context; elsewhere browsers only warn about them.
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
}
