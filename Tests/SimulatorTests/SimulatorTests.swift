import Simulator
import Testing
