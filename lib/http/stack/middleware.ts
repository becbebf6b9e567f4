import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { HttpEvent } from '#lib/http/request'

/** A middleware of this service, for any endpoint. */
export type HttpMiddleware = MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2, Error, Context>

/** The input of a middleware after a request was answered or refused. */
export type Answered = Parameters<NonNullable<HttpMiddleware['after']>>[0]
