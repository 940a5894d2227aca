enum LockbookEnginePlaceholder {}
import GRDB
import AsyncHTTPClient
